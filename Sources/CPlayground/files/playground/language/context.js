// The context of an offset in a document: a selection of a type, an argument of a field, a value of a type, and so on.

import { namedType } from "../schema/schema.js";

const within = (node, offset) => node !== null && node !== undefined && offset > node.start
  && (node.isClosed === false ? offset <= node.end : offset < node.end);

/**
 * The construct at an offset, or expected there: one of
 *   { kind: "definition" }
 *   { kind: "field", parent, field? }          a selection of the type `parent`
 *   { kind: "argument", owner, argument?, given }   of a field or directive
 *   { kind: "value", type, definition }         a value of the type, by its reference
 *   { kind: "inputField", type, field?, given } a field in a value of an input type
 *   { kind: "directive", directive?, location }
 *   { kind: "fragmentType", parent?, type? }, { kind: "variableType", type? }, { kind: "spread", parent, name }
 * Definitions of the schema are undefined if the document names something that does not exist.
 */
export function contextAt(definitions, schema, offset) {
  const definition = definitions.find(({ start, end }) => offset > start && offset <= end);
  if (definition === undefined) return { kind: "definition" };
  const root = definition.kind === "operation" ? schema.rootType(definition.operation) : schema.type(definition.on?.name);
  const location = definition.kind === "fragment" ? "FRAGMENT_DEFINITION" : definition.operation.toUpperCase();
  const about = walk(definition, root, location) ?? { kind: "definition" };
  return { ...about, definition };

  function walk(node, type, place) {
    if (within(node.variables, offset)) return variable(node.variables);
    if (node.on && offset >= node.on.start && offset <= node.on.end) {
      return { kind: "fragmentType", type: schema.type(node.on.name) };
    }
    return inDirectives(node.directives, place) ?? (within(node.selection, offset) ? select(node.selection, type) : null);
  }

  function select(selection, parent) {
    const item = selection.items.find(({ start, end }) => offset >= start && offset <= end);
    if (item === undefined) return { kind: "field", parent };
    if (item.kind === "spread") {
      return inDirectives(item.directives, "FRAGMENT_SPREAD") ?? { kind: "spread", parent, name: item.name };
    }
    if (item.kind === "inline") {
      return walk(item, item.on ? schema.type(item.on.name) : parent, "INLINE_FRAGMENT") ?? { kind: "field", parent };
    }
    const field = schema.field(parent, item.name);
    if (offset <= item.nameEnd) return { kind: "field", parent, field };
    if (within(item.arguments, offset)) return inArguments(item.arguments, field);
    return walk({ ...item, on: null, variables: null }, schema.type(field?.type), "FIELD") ?? { kind: "field", parent };
  }

  function inDirectives(directives, place) {
    const found = directives.find(({ start, end }) => offset > start && offset <= end);
    if (found === undefined) return null;
    const directive = schema.directives.get(found.name);
    if (within(found.arguments, offset)) return inArguments(found.arguments, directive);
    return { kind: "directive", directive, location: place };
  }

  function inArguments({ items }, owner) {
    const item = items.findLast(({ start }) => start <= offset);
    const argument = owner?.arguments.get(item?.name);
    if (item && offset > (item.colon ?? item.nameEnd) && item.colon !== null && offset <= Math.max(item.end, item.colon + 1)) {
      return inValue(item.value, argument?.type, argument);
    }
    const isOn = item && offset <= item.nameEnd;
    return { kind: "argument", owner, argument: isOn ? argument : undefined, given: items.map(({ name }) => name) };
  }

  function inValue(value, type, member) {
    const about = { kind: "value", type, member };
    if (!value || offset <= value.start || offset > value.end) return about;
    if (value.kind === "list") {
      const inner = type?.replace(/^\[(.*)\]!?$/, "$1");
      const item = value.items.find(({ start, end }) => offset >= start && offset <= end);
      return inValue(item, inner, member);
    }
    if (value.kind !== "object") return about;
    const input = schema.type(type);
    const item = value.items.findLast(({ start }) => start <= offset);
    const field = input?.fields.get(item?.name);
    if (item && item.colon !== null && offset > item.nameEnd && offset <= Math.max(item.end, item.colon + 1)) {
      return inValue(item.value, field?.type, field);
    }
    const isOn = item && offset <= item.nameEnd;
    return { kind: "inputField", type: input, field: isOn ? field : undefined, given: value.items.map(({ name }) => name) };
  }

  function variable({ items }) {
    const item = items.findLast(({ start }) => start <= offset);
    if (item && item.equals !== null && offset > item.equals && offset <= Math.max(item.end, item.equals + 1)) {
      return inValue(item.value, item.type);
    }
    return { kind: "variableType", type: item?.type ? schema.type(namedType(item.type)) : undefined };
  }
}
