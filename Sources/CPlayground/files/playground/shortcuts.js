// The keys that work anywhere on the page: GraphiQL's, where it has them.

/** Calls what belongs to the keys pressed; `actions` maps names as "Ctrl-Shift-P" to functions. ⌘ counts as Ctrl. */
export function listenForShortcuts(actions) {
  document.addEventListener("keydown", (event) => {
    if (event.repeat || event.isComposing || document.querySelector("dialog[open]")) return;
    const held = [event.ctrlKey || event.metaKey ? "Ctrl" : "", event.altKey ? "Alt" : "", event.shiftKey ? "Shift" : ""];
    const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
    const action = actions[[...held, key].filter((part) => part !== "").join("-")];
    if (action === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }, { capture: true });
}
