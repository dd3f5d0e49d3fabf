// number reads an environment variable that must be a number of at least least.
export function number(name, otherwise, least = 0) {
  const text = __ENV[name];
  if (text === undefined || text === "") {
    return otherwise;
  }
  const value = Number(text);
  if (!Number.isFinite(value) || value < least) {
    throw new Error(`${name} is ${text}: expected a number of at least ${least}`);
  }
  return value;
}

// seconds reads "90s", "15m", "4h".
export function seconds(name, otherwise) {
  const text = __ENV[name];
  if (text === undefined || text === "") {
    return otherwise;
  }
  const parts = /^([1-9]\d*)(s|m|h)$/.exec(text);
  if (!parts) {
    throw new Error(`${name} is ${text}: expected a whole number above 0 followed by s, m or h, such as 90s`);
  }
  return Number(parts[1]) * { s: 1, m: 60, h: 3600 }[parts[2]];
}

// amounts reads "transfer=0.50,cob=0.10".
export function amounts(name) {
  const parts = (__ENV[name] || "").split(",").filter((part) => part !== "");
  return Object.fromEntries(parts.map((part) => {
    const [, field, amount] = /^\s*(\w+)=(\d+\.\d\d)\s*$/.exec(part) || [];
    if (!field) {
      throw new Error(`${name} has ${part}: expected NAME=AMOUNT pairs, such as transfer=0.50,cob=0.10`);
    }
    return [field, amount];
  }));
}
