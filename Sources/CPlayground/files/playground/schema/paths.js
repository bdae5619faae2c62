// The paths of fields, from the root of an operation, that contain some words.

const [deepest, mostVisited, most] = [6, 20_000, 40];

/**
 * The fields whose name contains one of the words, and whose path contains all of them, nearest first: { path, field }. Types that
 * are nested in themselves are not entered again.
 */
export function pathsTo(words, root, schema) {
  const found = [];
  let level = [{ path: [], type: root, within: [root.name] }];
  for (let depth = 0, visited = 0; depth < deepest && level.length > 0 && found.length < most; depth += 1) {
    const next = [];
    for (const { path, type, within } of level) {
      const conditions = type.kind === "type" ? [] : type.possible.map((name) => ({ name: `... on ${name}`, type: name, arguments: new Map(), description: "" }));
      for (const field of [...type.fields.values(), ...conditions]) {
        visited += 1;
        if (visited > mostVisited) return found;
        const own = [...path, field.name];
        const text = own.join(" ").toLowerCase();
        const name = field.name.toLowerCase();
        if (!name.startsWith("... on") && words.some((word) => name.includes(word)) && words.every((word) => text.includes(word))) found.push({ path: own, field });
        const inner = schema.type(field.type);
        if (schema.isComposite(inner) && !within.includes(inner.name)) next.push({ path: own, type: inner, within: [...within, inner.name] });
      }
    }
    level = next;
  }
  return found.slice(0, most);
}
