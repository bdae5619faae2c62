// Which operations a document holds. No parser: it only follows brackets, so it also reads a document that is still
// being written. The server says what is wrong with it.

const token = /#.*|"""(?:\\"""|[^])*?"""|"[^"\\\n]*(?:\\.[^"\\\n]*)*"|[{}()[\]]|[@$]?[A-Za-z_]\w*/g;

/** The operations in order, each { kind, name, start, end }: name is null for an anonymous one, offsets are characters. */
export function operationsIn(source) {
  const found = [];
  let depth = 0;
  let definition = null;
  const begin = (kind, start) => ({ kind, name: null, start, end: source.length });
  for (const { 0: text, index } of source.matchAll(token)) {
    if (text === "{" && depth === 0 && definition === null) definition = begin("query", index);
    if ("{([".includes(text)) {
      depth += 1;
    } else if ("})]".includes(text)) {
      depth = Math.max(0, depth - 1);
      if (depth === 0 && text === "}" && definition !== null) {
        found.push({ ...definition, end: index + 1 });
        definition = null;
      }
    } else if (depth === 0 && /^[A-Za-z_]/.test(text)) {
      if (definition === null) definition = begin(text, index);
      else definition.name ??= text;
    }
  }
  if (definition !== null) found.push(definition);
  return found.filter(({ kind }) => ["query", "mutation", "subscription"].includes(kind));
}

/** The place, among these operations, of the one that a caret at this offset stands in, or stands nearest after. */
export function operationAt(operations, offset) {
  const after = operations.findLastIndex(({ start }) => start <= offset);
  return Math.max(0, after);
}
