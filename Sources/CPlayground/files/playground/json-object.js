// The JSON object in an editor: variables or headers. {{name}} in them stands for a value of the environment.

const placeholder = /\{\{\s*([\w.-]+)\s*\}\}/g;
const only = /^\{\{\s*([\w.-]+)\s*\}\}$/;
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value) && !JSON.isRawJSON?.(value);

/**
 * For JSON.parse: keeps the text of an integer that JavaScript would round. JSON.stringify writes it, but nothing else knows such a
 * value: structuredClone and postMessage change it. Browsers of before 2025 can lack this, and round.
 */
export function exact(_, value, context) {
  const isRounded = typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER;
  return isRounded && JSON.rawJSON ? JSON.rawJSON(context.source) : value;
}

/** Parses it as { value } or { problem }. An empty text is an empty object. `revive` is for JSON.parse. */
export function readObject(text, name, revive) {
  if (text.trim() === "") return { value: undefined };
  try {
    const value = JSON.parse(text, revive);
    if (isObject(value)) return { value };
    return { problem: `${name} are one JSON object: { "name": value, … }.` };
  } catch (error) {
    const at = Number(/position (\d+)/.exec(error.message)?.[1] ?? text.length);
    return { problem: `Not JSON yet: ${error.message}.`, at: Math.min(at, text.length - 1) };
  }
}

/** The range { from, to } of the value at a path in a JSON text, including its key, as far as the path exists. */
export function placeOf(text, path) {
  const tokens = Array.from(text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g));
  let at = 0;
  let from = 0;
  /** The offset after the value that begins at `at`. */
  const skip = () => {
    let depth = 0;
    do {
      const { 0: token } = tokens[at++];
      depth += "{[".includes(token) ? 1 : "}]".includes(token) ? -1 : 0;
    } while (depth > 0 && at < tokens.length);
  };
  const enter = (key) => {
    const isList = tokens[at]?.[0] === "[";
    let number = 0;
    for (at += 1; at < tokens.length && !"}]".includes(tokens[at][0]); number += 1) {
      const start = at;
      if (!isList) at += 2; // its name and the colon
      if (isList ? number === key : tokens[start][0] === JSON.stringify(key)) return tokens[start].index;
      skip();
      if (tokens[at]?.[0] === ",") at += 1;
    }
    return undefined;
  };
  for (const key of path) {
    const inner = enter(key);
    if (inner === undefined) return { from, to: from + Math.min(1, text.length) };
    from = inner;
  }
  skip();
  const last = tokens[at - 1];
  return { from, to: last.index + last[0].length };
}

/** Parses headers: an object whose values are valid header values. */
export const readHeaders = (text, environment) => read(text, "Headers", environment, fillHeaders);

/** Parses variables as { value }, in which the values of the environment are, or { problem }. */
export const readVariables = (text, environment) => read(text, "Variables", environment, fillVariables);

function read(text, name, environment, fill) {
  const { value, problem, at } = readObject(text, name, exact);
  if (problem !== undefined || value === undefined) return { value, problem, at };
  const unknown = Array.from(text.matchAll(placeholder)).find(([, key]) => !Object.hasOwn(environment, key));
  return { ...fill(value, environment), at: unknown?.index };
}

/** Replaces {{name}} in headers. Returns them as { value }, or { problem }. */
export function fillHeaders(headers, environment) {
  const filled = {};
  for (const [name, header] of Object.entries(headers)) {
    if (typeof header !== "string") return { problem: `The header ${name} must be a string.` };
    const unknown = unknownIn(header, environment);
    if (unknown !== undefined) return { problem: `There is no value named ${unknown}, which the header ${name} contains.` };
    filled[name] = replaced(header, environment);
    try {
      new Headers({ [name]: filled[name] });
    } catch {
      return { problem: "A header has an invalid name or value." };
    }
  }
  return { value: filled };
}

/** Replaces {{name}} in the texts of variables. A text that is nothing else becomes the value, which can be a number or a list. */
export function fillVariables(variables, environment) {
  const unknown = unknownIn(JSON.stringify(variables), environment);
  if (unknown !== undefined) return { problem: `There is no value named ${unknown}, which the variables contain.` };
  const fill = (value) => {
    if (typeof value === "string") return only.test(value) ? environment[only.exec(value)[1]] : replaced(value, environment);
    if (Array.isArray(value)) return value.map(fill);
    return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fill(one)])) : value;
  };
  return { value: fill(variables) };
}

function unknownIn(text, environment) {
  return Array.from(text.matchAll(placeholder), ([, key]) => key).find((key) => !Object.hasOwn(environment, key));
}

function replaced(text, environment) {
  return text.replaceAll(placeholder, (_, key) => (typeof environment[key] === "string" ? environment[key] : JSON.stringify(environment[key])));
}
