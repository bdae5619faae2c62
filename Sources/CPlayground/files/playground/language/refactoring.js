// Changes of a document that keep its meaning: a value becomes a variable and back, a selection becomes a fragment and back.
// Each takes { text, caret, schema, variables } and returns { text, caret, variables }, or { problem } if it is not possible there.

import { namedType } from "../schema/schema.js";
import { declare, undeclare, unusedName, variablesIn } from "./declarations.js";
import { tokensIn } from "./lexer.js";
import { operationsOf, parse } from "./parser.js";
import { prettify } from "./prettify.js";

const holds = (node, caret) => node !== null && node !== undefined && node.start <= caret && caret <= node.end;
const operationHolding = (definitions, caret) => operationsOf(definitions).find((one) => holds(one, caret));
const itemType = (type) => /^\[(.*)\]!?$/.exec(type ?? "")?.[1] ?? type;

function finished(text, { variables, at }) {
  const pretty = prettify(text) ?? text;
  return { text: pretty, caret: Math.max(0, pretty.indexOf(at)), variables };
}

/** The value at the caret becomes a variable. */
export function extractVariable({ text, caret, schema, variables }) {
  const operation = operationHolding(parse(text), caret);
  const found = operation && valueAt(operation, schema, caret);
  if (!found) return { problem: "Put the caret on a value in an operation." };
  const { name, type, value } = found;
  if (type === undefined) return { problem: "The schema has no type for this value." };
  if (variablesIn(text, value).length > 0) return { problem: "The value contains a variable." };
  // All operations of the document have the same variables.
  const own = unusedName(name, [...Object.keys(variables), ...variablesIn(text, { start: 0, end: text.length })]);
  const written = `${text.slice(0, value.start)}$${own} ${text.slice(value.end)}`;
  return finished(declare(written, operation.start + 1, [{ name: own, type }]), {
    variables: { ...variables, [own]: json(value, type, schema) }, at: `$${own}`,
  });
}

/** The variable at the caret is replaced by its value wherever the operation uses it. */
export function inlineVariable({ text, caret, schema, variables }) {
  const definitions = parse(text);
  const operation = operationHolding(definitions, caret);
  const name = tokensIn(text).find((token) => token.kind === "variable" && holds(token, caret))?.text.slice(1);
  const declared = operation?.variables?.items.find((item) => item.name === name);
  if (declared === undefined) return { problem: "Put the caret on a variable of an operation." };
  if (definitions.some((one) => one.kind === "fragment" && variablesIn(text, one).includes(name))) {
    return { problem: `A fragment uses $${name} too.` };
  }
  const isGiven = Object.hasOwn(variables, name);
  if (isGiven && /\{\{\s*[\w.-]+\s*\}\}/.test(JSON.stringify(variables[name]))) {
    return { problem: `$${name} contains a value of the environment, which a query cannot.` };
  }
  if (!isGiven && declared.value === null) return { problem: `$${name} has no value: give it one under Variables.` };
  const literal = isGiven ? literalOf(variables[name], declared.type, schema) : text.slice(declared.value.start, declared.value.end);
  const from = operation.variables.end;
  const inner = tokensIn(text.slice(from, operation.end)).filter((token) => token.text === `$${name}`);
  const written = inner.reduceRight((rest, { start, end }) => `${rest.slice(0, from + start)} ${literal} ${rest.slice(from + end)}`, text);
  const { [name]: _, ...rest } = variables;
  const isShared = operationsOf(definitions).some((one) => one !== operation && one.variables?.items.some((item) => item.name === name));
  return finished(undeclare(written, operation.start + 1, [name]), { variables: isShared ? variables : rest, at: literal });
}

/** The innermost selection around the caret becomes a fragment. */
export function extractFragment({ text, caret, schema, variables }) {
  const definitions = parse(text);
  const definition = definitions.find((one) => holds(one, caret));
  const found = definition && selectionAt(definition, rootOf(definition, schema), schema, caret);
  if (!found?.type) return { problem: "Put the caret into a selection of fields." };
  const { selection, type } = found;
  const name = unusedName(`${type.name}Fields`, definitions.map((one) => one.name));
  const body = text.slice(selection.start, selection.end);
  const written = `${text.slice(0, selection.start)}{ ...${name} }${text.slice(selection.end).trimEnd()}\n\nfragment ${name} on ${type.name} ${body}\n`;
  return finished(written, { variables, at: `...${name}` });
}

/** The fragment that the spread at the caret names is written in its place. It is removed when nothing else spreads it. */
export function inlineFragment({ text, caret, schema, variables }) {
  const definitions = parse(text);
  const definition = definitions.find((one) => holds(one, caret));
  const spread = definition && spreadAt(definition, rootOf(definition, schema), schema, caret);
  const fragment = definitions.find((one) => one.kind === "fragment" && one.name === spread?.item.name);
  if (!fragment?.selection?.isClosed || fragment === definition) return { problem: "Put the caret on a spread fragment, as in ...Name." };
  const { item, type } = spread;
  const conditions = [...item.directives, ...fragment.directives].map(({ start, end }) => text.slice(start, end)).join(" ");
  const body = text.slice(fragment.selection.start, fragment.selection.end);
  const isSame = conditions === "" && type !== undefined && type.name === fragment.on.name;
  const content = isSame ? ` ${body.slice(1, -1)} ` : `... on ${fragment.on.name} ${conditions} ${body}`;
  const edits = [{ start: item.start, end: item.end, content }];
  const spreads = tokensIn(text).filter(({ kind }) => kind !== "comment")
    .filter(({ kind }, place, all) => kind === "spread" && all[place + 1]?.text === fragment.name);
  if (spreads.length === 1) edits.push({ start: fragment.describedFrom, end: fragment.end, content: "" });
  const written = edits.sort((one, other) => other.start - one.start)
    .reduce((rest, { start, end, content: own }) => rest.slice(0, start) + own + rest.slice(end), text);
  const { text: pretty } = finished(written, { variables, at: "" });
  return { text: pretty, caret: Math.min(item.start, pretty.length), variables };
}

const rootOf = (definition, schema) => (definition.kind === "operation" ? schema.rootType(definition.operation) : schema.type(definition.on?.name));

const typeWithin = (item, type, schema) => (item.kind === "field" ? schema.type(schema.field(type, item.name)?.type) : item.on ? schema.type(item.on.name) : type);

function selectionAt(node, type, schema, caret) {
  const inner = node.selection?.items.find((item) => item.selection && holds(item, caret));
  if (inner) return selectionAt(inner, typeWithin(inner, type, schema), schema, caret);
  return node.selection?.isClosed ? { selection: node.selection, type } : null;
}

function spreadAt(node, type, schema, caret) {
  const item = node.selection?.items.find((one) => holds(one, caret));
  if (item === undefined) return null;
  return item.kind === "spread" ? { item, type } : spreadAt(item, typeWithin(item, type, schema), schema, caret);
}

/** The innermost value around the caret, or that of the name at the caret: { name, type, value }. */
function valueAt(node, schema, caret) {
  let found = null;
  const enter = (name, type, value) => {
    if (value === null || value.kind === "variable") return;
    found = { name, type, value };
    const input = schema.type(type);
    for (const item of value.items ?? []) {
      if (!holds(item, caret)) continue;
      const own = value.kind === "object" ? input?.fields.get(item.name)?.type : itemType(type);
      // A variable in a @oneOf input must not be null.
      if (value.kind === "object") enter(item.name, own && input.isOneOf ? `${own}!` : own, item.value);
      else enter(name, own, item);
    }
  };
  const visit = (one, type) => {
    const field = one.kind === "field" ? schema.field(type, one.name) : undefined;
    const owners = [[one.arguments, field], ...(one.directives ?? []).map((each) => [each.arguments, schema.directives.get(each.name)])];
    for (const [list, owner] of owners) {
      for (const item of list?.items ?? []) if (holds(item, caret)) enter(item.name, owner?.arguments.get(item.name)?.type, item.value);
    }
    const inner = one.kind === "operation" ? type : typeWithin(one, type, schema);
    for (const item of one.selection?.items ?? []) if (holds(item, caret)) visit(item, inner);
  };
  visit(node, schema.rootType(node.operation));
  return found;
}

const words = new Map([["true", true], ["false", false], ["null", null]]);

/** A literal of a type as JSON. Values of enums are strings there. */
function json(value, type, schema) {
  switch (value.kind) {
    case "object": {
      const fields = schema.type(type)?.fields;
      return Object.fromEntries(value.items.map(({ name, value: own }) => [name, own === null ? null : json(own, fields?.get(name)?.type, schema)]));
    }
    case "list": return value.items.map((item) => json(item, itemType(type), schema));
    case "number": return numberValue(value.text, type);
    case "string": return stringValue(value.text);
    case "block": return blockValue(value.text.slice(3, -3));
    default: return words.has(value.text) ? words.get(value.text) : value.text;
  }
}

/**
 * The value of a number. JavaScript rounds integers beyond 2^53, so that the integer for an ID becomes a string, which servers accept
 * in its place. A Float is rounded by the server too, and no Int is as large.
 */
function numberValue(literal, type) {
  const number = Number(literal);
  const isExact = Number.isSafeInteger(number) || !/^-?\d+$/.test(literal) || ["Int", "Float"].includes(namedType(type ?? ""));
  return isExact ? number : literal;
}

/** The value of a string literal. Unlike JSON it can contain `\u{1F600}` and tabs. */
function stringValue(literal) {
  const inJSON = (character) => JSON.stringify(character).slice(1, -1);
  const rewritten = (found, code) => {
    if (code !== undefined) return inJSON(String.fromCodePoint(Number.parseInt(code, 16)));
    return found.startsWith("\\") ? found : inJSON(found);
  };
  try {
    return JSON.parse(literal.replaceAll(/\\u\{([\da-fA-F]+)\}|\\.|[\0-\x1f]/g, rewritten));
  } catch {
    return literal.slice(1, -1);
  }
}

/** The value of a block string, without the indentation that its lines share and without blank lines around them. */
function blockValue(content) {
  const lines = content.replaceAll('\\"""', '"""').split(/\r\n|[\n\r]/);
  const indentation = (line) => /^[\t ]*/.exec(line)[0].length;
  const isWritten = (line) => indentation(line) < line.length;
  const common = Math.min(...lines.slice(1).filter(isWritten).map(indentation));
  const [first, last] = [lines.findIndex(isWritten), lines.findLastIndex(isWritten)];
  return lines.map((line, number) => (number === 0 ? line : line.slice(common))).slice(Math.max(first, 0), last + 1).join("\n");
}

/** JSON as a literal of a type. */
function literalOf(value, type, schema) {
  if (Array.isArray(value)) return `[${value.map((item) => literalOf(item, itemType(type), schema)).join(", ")}]`;
  if (value !== null && typeof value === "object") {
    const fields = schema.type(type)?.fields;
    return `{${Object.entries(value).map(([key, item]) => `${key}: ${literalOf(item, fields?.get(key)?.type ?? "", schema)}`).join(", ")}}`;
  }
  const isEnum = schema.types.get(namedType(type))?.kind === "enum";
  return isEnum && typeof value === "string" ? value : JSON.stringify(value);
}
