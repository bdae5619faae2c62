// Saved requests as a manifest of documents by name, from which a server can read its trusted documents. What a request has besides
// its document is in members that servers ignore.

import { hasScripts } from "./memory.js";

/** Nobody could read a longer one before allowing it. */
const longestScript = 100_000;

const parsed = (text) => {
  try { return JSON.parse(text); } catch { return undefined; }
};
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/**
 * An object of documents, or, if a request or a collection has more than that, Apollo's list of operations, which has place for it.
 * `values` are those of the collections, by their names.
 */
export function manifestOf(entries, values) {
  const operations = entries.map(operationOf);
  const hasValues = Object.keys(values).length > 0;
  const isPlain = !hasValues && operations.every((operation) => Object.keys(operation).length === 3);
  return isPlain ? Object.fromEntries(operations.map(({ id, body }) => [id, body])) : { operations, ...(hasValues ? { values } : {}) };
}

function operationOf({ collection, name, query, variables, headers, before, after }) {
  const id = `${collection}/${name}`;
  const values = Object.entries({ variables: parsed(variables), headers: parsed(headers) }).filter(([, value]) => isObject(value));
  const scripts = hasScripts({ before, after }) ? { scripts: { before, after } } : {};
  return { id, name: id, body: query, ...Object.fromEntries(values), ...scripts };
}

/**
 * The requests of a manifest, each { id, query, variables, headers, before, after }: of an object of texts, or of Apollo's list of
 * operations. Null for anything else.
 */
export function documentsIn(text) {
  const root = parsed(text);
  const found = Array.isArray(root?.operations)
    ? root.operations.map((operation) => ({ id: operation?.name, query: operation?.body, ...valuesOf(operation), ...scriptsOf(operation) }))
    : Object.entries(root ?? {}).map(([id, query]) => ({ id, query }));
  return found.length > 0 && found.every(({ id, query }) => typeof id === "string" && typeof query === "string") ? found : null;
}

/** The values of the collections of a manifest, by their names. */
export const valuesIn = (text) => Object.fromEntries(Object.entries(parsed(text)?.values ?? {}).filter(([, one]) => isObject(one)));

const valuesOf = (operation) => Object.fromEntries(["variables", "headers"].filter((name) => isObject(operation?.[name]))
  .map((name) => [name, JSON.stringify(operation[name], null, 2)]));

/** The scripts of an imported operation; nothing if one of them is no script. */
function scriptsOf(operation) {
  const [before, after] = ["before", "after"].map((kind) => operation?.scripts?.[kind] ?? "");
  const isScript = (one) => typeof one === "string" && one.length <= longestScript;
  return isScript(before) && isScript(after) ? { before, after } : {};
}
