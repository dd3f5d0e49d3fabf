// number reads a variable of the environment that is to be a number from least on.
export function number(name, otherwise, least = 0) {
  const text = __ENV[name];
  if (text === undefined || text === "") {
    return otherwise;
  }
  const value = Number(text);
  if (!Number.isFinite(value) || value < least) {
    throw new Error(`${name} is ${text}: expected a number from ${least} on`);
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
    throw new Error(`${name} is ${text}: expected a whole number above 0 with s, m or h, as in 90s`);
  }
  return Number(parts[1]) * { s: 1, m: 60, h: 3600 }[parts[2]];
}

// amounts reads "transfer=0.50,cob=0.10".
export function amounts(name) {
  const parts = (__ENV[name] || "").split(",").filter((part) => part !== "");
  return Object.fromEntries(parts.map((part) => {
    const [, field, amount] = /^\s*(\w+)=(\d+\.\d\d)\s*$/.exec(part) || [];
    if (!field) {
      throw new Error(`${name} has ${part}: expected amounts by their names, as in transfer=0.50,cob=0.10`);
    }
    return [field, amount];
  }));
}
