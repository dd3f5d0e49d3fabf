
document.documentElement.classList.add("js");
const find = document.getElementById("find");
const none = document.getElementById("none");
const chosen = new Set();
const entries = [...document.querySelectorAll(".entry")];
const groups = [...document.querySelectorAll("main > section:not(.aside), .cause, .consequences, .group, .part")];
let opened = [];

function filter() {
  const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
  const active = words.length > 0 || chosen.size > 0;
  for (const e of entries) {
    const wanted = (!chosen.size || chosen.has(e.dataset.verdict)) && words.every(w => e.dataset.text.includes(w));
    e.hidden = !wanted;
  }
  for (const d of opened) d.open = false;
  opened = [];
  for (const g of groups) {
    g.hidden = active && !g.querySelector(".entry:not([hidden])");
    if (active && !g.hidden && g.matches("details:not([open])")) { g.open = true; opened.push(g); }
  }
  for (const s of document.querySelectorAll(".aside, ol.causes")) s.hidden = active;
  none.hidden = !active || entries.some(e => !e.hidden);
}

// openFirst moves the focus to the first match, and opens it.
function openFirst() {
  const first = entries.find(e => !e.hidden && e.getClientRects().length > 0);
  if (!first) return;
  if (first.matches("details")) first.open = true;
  const to = first.querySelector("summary, a, button") || first;
  if (to === first) first.tabIndex = -1;
  to.focus();
  first.scrollIntoView({block: "nearest"});
}

find.addEventListener("input", filter);
find.addEventListener("keydown", e => {
  if (e.key === "Enter") { e.preventDefault(); openFirst(); }
  if (e.key === "Escape") { find.value = ""; filter(); }
});
for (const b of document.querySelectorAll("[data-show]")) b.addEventListener("click", () => {
  const on = chosen.has(b.dataset.show) ? !chosen.delete(b.dataset.show) : !!chosen.add(b.dataset.show);
  b.setAttribute("aria-pressed", on);
  filter();
});
addEventListener("keydown", e => {
  if (e.key === "/" && document.activeElement !== find && !e.ctrlKey && !e.metaKey) { e.preventDefault(); find.focus(); }
});
addEventListener("click", async e => {
  const b = e.target.closest(".copy");
  if (!b) return;
  const pre = b.parentElement.querySelector("pre");
  try { await navigator.clipboard.writeText(pre.textContent); b.textContent = document.body.dataset.copied; }
  catch { getSelection().selectAllChildren(pre); b.textContent = document.body.dataset.selected; }
  setTimeout(() => b.textContent = document.body.dataset.copy, 1500);
});
function reveal() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let e = target; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
  target.scrollIntoView();
}
addEventListener("hashchange", reveal);
reveal();
