// The keyboard shortcuts of the page: those of GraphiQL, if it has them.

/** Calls the action of the pressed keys. `actions` maps names such as "Ctrl-Shift-P" to functions. ⌘ counts as Ctrl. */
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
