// The schema in its own language, in a dialog: fetched when it is first asked for.

import { paintSDL } from "./highlight.js";

const element = (id) => document.getElementById(id);
const definition = /^(?:type|interface|union|enum|input|scalar) (\w+)/gm;

export function offerSchema() {
  const dialog = element("schema");
  const types = element("schema-types");
  const text = element("schema-text");
  let loaded = false;

  const load = async () => {
    text.textContent = "Loading…";
    try {
      const response = await fetch("/graphql/schema.graphql");
      if (!response.ok) throw new Error(`status ${response.status}`);
      const source = await response.text();
      text.replaceChildren(paintSDL(source));
      types.replaceChildren(...Array.from(source.matchAll(definition), ({ 1: name }) => new Option(name)));
      loaded = true;
    } catch {
      text.textContent = "The schema could not be loaded. Close this and try again.";
    }
  };

  element("schema-open").addEventListener("click", () => {
    dialog.showModal();
    if (!loaded) load();
  });
  element("schema-close").addEventListener("click", () => dialog.close());
  types.addEventListener("change", () => {
    const defined = Array.from(text.querySelectorAll(".t-key")).find((name) =>
      name.textContent === types.value && /^(?:type|interface|union|enum|input|scalar)$/.test(
        name.previousElementSibling?.textContent) && name.previousSibling?.textContent === " ");
    if (defined) text.scrollTop += defined.getBoundingClientRect().top - text.getBoundingClientRect().top - 40;
  });
}
