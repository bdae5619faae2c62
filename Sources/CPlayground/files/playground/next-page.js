// The lists of a result that have a next page, by their `pageInfo`, and the request for it.

import { variablesIn } from "./language/declarations.js";
import { operationAt, operationsOf, parse } from "./language/parser.js";

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** Each { path, cursor }: the response keys of the list's field. A list within a list shares its arguments with others: it is left out. */
export function nextPages(value, path = []) {
  if (!isObject(value)) return [];
  const entries = Object.entries(value);
  const own = entries.find(([, inner]) => isObject(inner) && inner.hasNextPage === true && typeof inner.endCursor === "string");
  return [
    ...(own && path.length > 0 ? [{ path, cursor: own[1].endCursor }] : []),
    ...entries.flatMap(([key, inner]) => nextPages(inner, [...path, key])),
  ];
}

/**
 * The request for the page after the cursor, { query, variables }: it changes the argument `after` of the field, or the variable
 * that the argument is, unless other lists have it too. Null if the document does not have the field, or if it reads its list from the end.
 */
export function requestOfNextPage({ query, caret, variables }, { path, cursor }) {
  const definitions = parse(query);
  const operation = operationAt(operationsOf(definitions), caret);
  const fields = operation ? fieldsAt(operation.selection, path, definitions, new Set()) : [];
  if (fields.length === 0 || fields.some((field) => isFromEnd(field, operation, variables))) return null;
  const values = { ...variables };
  const edits = new Map();
  const given = fields.map((field) => field.arguments?.items.find(({ name }) => name === "after")?.value ?? null);
  for (const [index, field] of fields.entries()) {
    const { kind, text, start, end } = given[index] ?? {};
    if (kind === "variable" && isOnlyOf(given, text.slice(1), query, operation, definitions)) values[text.slice(1)] = cursor;
    else if (given[index]) edits.set(start, { end, text: JSON.stringify(cursor) });
    else if (field.arguments) edits.set(field.arguments.start + 1, { end: field.arguments.start + 1, text: `after: ${JSON.stringify(cursor)}, ` });
    else edits.set(field.nameEnd, { end: field.nameEnd, text: `(after: ${JSON.stringify(cursor)})` });
  }
  const ordered = [...edits].toSorted(([one], [other]) => other - one);
  const changed = ordered.reduce((rest, [start, edit]) => rest.slice(0, start) + edit.text + rest.slice(edit.end), query);
  return { query: changed, variables: values };
}

/** Whether an operation uses a variable for these values only. Fragments use the variables of the operations that spread them. */
function isOnlyOf(given, name, query, operation, definitions) {
  const parts = [operation.selection, ...definitions.filter(({ kind }) => kind === "fragment")];
  const uses = parts.flatMap((part) => variablesIn(query, part)).filter((used) => used === name);
  return uses.length === given.filter((value) => value?.text === `$${name}`).length;
}

/** Whether the argument `last` or `before` of a field has a value. A server rejects `after` beside them. */
function isFromEnd(field, operation, variables) {
  const given = (field.arguments?.items ?? []).filter(({ name }) => name === "last" || name === "before");
  return given.some(({ value }) => {
    if (value?.kind !== "variable") return value !== null && value.text !== "null";
    const name = value.text.slice(1);
    if (Object.hasOwn(variables, name)) return variables[name] !== null;
    const usual = operation.variables?.items.find((item) => item.name === name)?.value;
    return usual !== null && usual !== undefined && usual.text !== "null";
  });
}

/** The fields that a path of response keys names: selected in several places, it has several. */
function fieldsAt(selection, [key, ...rest], definitions, entered) {
  return (selection?.items ?? []).flatMap((item) => {
    if (item.kind === "inline") return fieldsAt(item.selection, [key, ...rest], definitions, entered);
    if (item.kind === "spread") {
      if (entered.has(item.name)) return [];
      const fragment = definitions.find((one) => one.kind === "fragment" && one.name === item.name);
      return fieldsAt(fragment?.selection, [key, ...rest], definitions, new Set([...entered, item.name]));
    }
    if ((item.alias ?? item.name) !== key) return [];
    return rest.length === 0 ? [item] : fieldsAt(item.selection, rest, definitions, entered);
  });
}
