// The commands of the palette, and those with keys of their own.

import { examples } from "./examples.js";
import { extractFragment, extractVariable, inlineFragment, inlineVariable } from "./language/refactoring.js";
import { languages } from "./snippets.js";

const element = (id) => document.getElementById(id);

/** A command that does what a button of the page does. */
const pressing = (title, id, keys) => ({ title, keys, run: () => element(id).click(), isOff: element(id)?.disabled ?? true });

/** The commands that are possible now. `page` has the actions of the page. */
export const commandsOf = (page) => [
  { title: page.isRunning() ? "Stop" : "Run", keys: "Ctrl Enter", run: page.runOrStop },
  pressing("Prettify", "prettify", "Ctrl Shift P"),
  pressing("Merge fragments into the query", "merge", "Ctrl Shift M"),
  { title: "Extract the value into a variable", run: () => page.refactor(extractVariable) },
  { title: "Inline the variable", run: () => page.refactor(inlineVariable) },
  { title: "Extract the selection into a fragment", run: () => page.refactor(extractFragment) },
  { title: "Inline the fragment", run: () => page.refactor(inlineFragment) },
  { title: "Go to definition", keys: "Alt Enter", run: page.goToDefinition },
  { title: "Search the documentation", keys: "Ctrl K", run: page.searchDocumentation },
  { title: "Search in the builder", run: page.searchBuilder },
  { title: "Type graph", run: page.showGraph },
  { title: "Schema definition (SDL)", run: page.showSource },
  { title: "Copy the query", keys: "Ctrl Shift C", run: page.copyQuery },
  pressing("Copy the result", "copy-result"),
  pressing("Download the result", "download-result"),
  pressing("Response headers", "headers-toggle"),
  pressing("Times of the server", "trace-toggle"),
  ...(element("compare-open").hidden ? [] : [pressing("Compare as two people", "compare-open")]),
  ...Array.from(element("next-pages").querySelectorAll("button"), (button) => ({ title: button.textContent, run: () => button.click() })),
  pressing(element("table-panel").hidden ? "Show lists as a table" : "Show the result as JSON", "table-toggle"),
  pressing("Copy a link to this request", "share"),
  ...Object.keys(languages).map((language) => ({ title: `Copy as ${language}`, run: () => page.copyAs(language) })),
  { title: "New tab", keys: "Alt Shift T", run: page.openTab },
  { title: "Duplicate tab", run: () => page.tabs().duplicate() },
  { title: "Rename tab", keys: "F2", run: () => page.tabs().rename() },
  { title: "Move tab left", keys: "Ctrl ←", run: () => page.tabs().move(-1) },
  { title: "Move tab right", keys: "Ctrl →", run: () => page.tabs().move(1) },
  { title: "Close tab", keys: "Delete", run: () => page.tabs().close() },
  { title: "Save this request", keys: "Ctrl S", run: page.save },
  pressing("Export all saved requests", "saved-export"),
  pressing("Import requests", "saved-import"),
  pressing("New environment", "environment-add"),
  ...(element("environment-inherited").hidden ? [] : [pressing("Values of the collection", "environment-collection-edit")]),
  ...Array.from(element("environment").options, ({ text, value }) => ({ title: `Environment: ${text}`, run: () => page.chooseEnvironment(value) })),
  ...Array.from(document.querySelectorAll('#side-tabs [role="tab"]'), (tab) => ({
    title: `Show ${tab.textContent}`, run: () => page.showTool(tab.getAttribute("aria-controls")),
  })),
  ...Array.from(document.querySelectorAll('#below-tabs [role="tab"]'), (tab) => ({
    title: `Show ${tab.firstChild.textContent}`, run: () => page.showBelow(tab.getAttribute("aria-controls")),
  })),
  pressing("Reload the schema", "schema-reload"),
  pressing(element("theme").textContent, "theme"),
  pressing("Keyboard shortcuts", "shortcuts-open"),
  ...examples.map((example) => ({ title: `Example: ${example.title}`, run: () => page.load(example) })),
].filter(({ isOff }) => !isOff);

/** The actions of keys, for `listenForShortcuts`. */
export const shortcutsOf = (page) => ({
  "F1": page.openPalette,
  "Ctrl-S": page.save,
  "Ctrl-Enter": page.runOrStop,
  "Ctrl-Shift-P": page.prettify,
  "Ctrl-Shift-M": page.merge,
  "Ctrl-Shift-C": page.copyQuery,
  "Ctrl-K": page.searchDocumentation,
  "Alt-Shift-T": page.openTab,
  "Alt-Shift-<": () => page.tabs().next(-1),
  "Alt-Shift-,": () => page.tabs().next(-1),
  "Alt-Shift->": () => page.tabs().next(1),
  "Alt-Shift-.": () => page.tabs().next(1),
});
