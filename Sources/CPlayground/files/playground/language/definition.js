// Go to definition: Ctrl and a click, or Alt-Enter at the caret. Fragments and variables are defined in the document, and
// everything else in the documentation of the schema.

import { EditorView, keymap } from "../codemirror.js";
import { namedType } from "../schema/schema.js";
import { meaning } from "./hover.js";
import { parse } from "./parser.js";

/** `schema()` returns the schema, or null while it is loading; `open(typeName, memberName)` shows its documentation. */
export function definition(schema, open) {
  const go = (view, position) => goToDefinition(view, position, schema(), open);
  return [
    EditorView.domEventHandlers({
      mousedown(event, view) {
        if (!(event.ctrlKey || event.metaKey) || event.button !== 0) return false;
        const position = view.posAtCoords({ x: event.clientX, y: event.clientY });
        if (position === null || !go(view, position)) return false;
        event.preventDefault();
        return true;
      },
    }),
    keymap.of([{ key: "Alt-Enter", run: (view) => go(view, view.state.selection.main.head) }]),
  ];
}

/** Shows the definition of the name at an offset. Returns whether there is one. */
export function goToDefinition(view, position, schema, open) {
  const source = view.state.doc.toString();
  const found = meaning(source, position, schema);
  if (found === null) return false;
  const word = source.slice(found.from, found.to);
  const place = placeInDocument(parse(source), found, word);
  if (place !== null) {
    view.dispatch({ selection: { anchor: place }, effects: EditorView.scrollIntoView(place, { y: "center" }) });
    view.focus();
    return true;
  }
  const typeName = found.typeName ?? namedType(found.type);
  if (!schema.types.has(typeName)) return false;
  open(typeName, found.memberName);
  return true;
}

/** The offset of the definition of a fragment or variable; null for everything else, and at the definition itself. */
function placeInDocument(definitions, { from, title }, word) {
  if (title.startsWith("fragment ")) {
    return definitions.find(({ kind, name }) => kind === "fragment" && name === word)?.start ?? null;
  }
  if (!word.startsWith("$")) return null;
  const within = definitions.findLast(({ start }) => start <= from);
  const variable = within?.variables?.items.find(({ name }) => `$${name}` === word);
  return variable === undefined || variable.start === from ? null : variable.start;
}
