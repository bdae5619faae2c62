// Inlines the fragments of a document where they are spread.

import { parse } from "./parser.js";
import { prettify } from "./prettify.js";

/** Nested fragments can grow exponentially: a document that would exceed this many characters stays unchanged. */
const longest = 200_000;

/**
 * The formatted document without its fragments; unchanged if it has none or is invalid. A fragment on the type of its parent is
 * replaced by its fields, any other becomes an inline fragment.
 */
export function mergeFragments(source, schema) {
  const definitions = parse(source);
  const fragments = new Map(definitions.filter(({ kind }) => kind === "fragment").map((one) => [one.name, one]));
  if (fragments.size === 0) return source;
  let written = 0;
  try {
    const merged = definitions.filter(({ kind }) => kind === "operation").map((operation) => {
      const type = schema?.rootType(operation.operation);
      const head = source.slice(operation.describedFrom, operation.selection?.start ?? operation.end);
      return operation.selection ? head + selection(operation.selection, type, []) : head;
    });
    return (merged.length > 0 && prettify(merged.join("\n\n"))) || source;
  } catch (error) {
    if (error instanceof Unmergeable) return source;
    throw error;
  }

  function selection({ items }, type, within) { return `{\n${items.map((one) => item(one, type, within)).join("\n")}\n}`; }

  function item(one, type, within) {
    if (one.kind === "spread") return spread(one, type, within);
    const inner = one.kind === "inline" ? (one.on ? schema?.type(one.on.name) : type) : schema?.type(schema.field(type, one.name)?.type);
    return note(one.selection
      ? `${source.slice(one.start, one.selection.start)}${selection(one.selection, inner, within)}`
      : source.slice(one.start, one.end));
  }

  function spread({ name, directives, end, nameEnd }, type, within) {
    const fragment = fragments.get(name);
    if (!fragment?.selection || !fragment.on || within.includes(name)) throw new Unmergeable();
    const own = fragment.directives.map(({ start, end: last }) => source.slice(start, last)).join(" ");
    const conditions = `${directives.length > 0 ? source.slice(nameEnd, end) : ""} ${own}`.trim();
    const inner = schema?.type(fragment.on.name);
    if (conditions === "" && type !== undefined && inner === type) {
      return note(fragment.selection.items.map((one) => item(one, type, [...within, name])).join("\n"));
    }
    return note(`... on ${fragment.on.name} ${conditions} ${selection(fragment.selection, inner, [...within, name])}`);
  }

  function note(text) {
    written += text.length;
    if (written > longest) throw new Unmergeable();
    return text;
  }
}

class Unmergeable extends Error {}
