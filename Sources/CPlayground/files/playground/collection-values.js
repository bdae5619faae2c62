// The values of collections, which their requests contain as {{name}}. Those with a password or a token are not stored.

import { Editor } from "./editor.js";
import { readObject } from "./json-object.js";
import { jsonColours } from "./language/highlighting.js";
import { holdsSecret, recall, remember, whenRemembered } from "./memory.js";

const element = (id) => document.getElementById(id);
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

export class CollectionValues {
  /** The text of the values by the name of the collection. */
  #texts = this.#recalled();
  #shown = null;
  #changed;
  #editor;

  /** `changed()` is called when the values may be others. */
  constructor(changed) {
    this.#changed = changed;
    this.#editor = new Editor(element("collection-values-text"), {
      label: "Values of the collection", language: jsonColours, hint: '{ "name": "value" }', changed: (text) => this.#note(text),
    });
    element("collection-values-close").addEventListener("click", () => element("collection-values").close());
    whenRemembered("collection-values", () => {
      this.#texts = { ...this.#texts, ...this.#recalled() };
      this.#changed();
    });
  }

  /** Of a collection, also of those that it is in: `Screens/Start` is in `Screens`. */
  of(collection) {
    const parts = collection?.split("/") ?? [];
    const names = parts.map((_, place) => parts.slice(0, place + 1).join("/"));
    return Object.assign({}, ...names.map((name) => readObject(this.#texts[name] ?? "", "Values").value));
  }

  open(collection) {
    this.#shown = null; // what the editor has is that of another collection
    this.#editor.turnTo(this.#texts[collection] ?? "");
    this.#shown = collection;
    this.#note(this.#editor.text);
    element("collection-values-title").textContent = `Values of ${collection}`;
    element("collection-values").showModal();
    this.#editor.focus();
  }

  /** Keeps the values of collections that were renamed, and those of collections that there are. */
  follow(names, { from, to } = {}) {
    if (from !== undefined && this.#texts[from] !== undefined) this.#texts[to] = this.#texts[from];
    const isIn = (name) => names.some((one) => one === name || one.startsWith(`${name}/`));
    this.#texts = Object.fromEntries(Object.entries(this.#texts).filter(([name]) => isIn(name)));
    this.#keep();
  }

  /** Those of imported collections. */
  add(all) {
    for (const [name, values] of Object.entries(all)) this.#texts[name] = JSON.stringify(values, null, 2);
    this.#keep();
  }

  /** By the name of the collection, without those that hold a secret. */
  get all() {
    const entries = Object.entries(this.#stored).map(([name, text]) => [name, readObject(text, "Values").value ?? {}]);
    return Object.fromEntries(entries.filter(([, values]) => Object.keys(values).length > 0));
  }

  get #stored() { return Object.fromEntries(Object.entries(this.#texts).filter(([, text]) => !holdsSecret(text))); }

  #note(text) {
    if (this.#shown === null) return;
    element("collection-values-error").textContent = readObject(text, "Values").problem ?? "";
    if (text === (this.#texts[this.#shown] ?? "")) return;
    this.#texts[this.#shown] = text;
    this.#keep();
  }

  #keep() {
    remember("collection-values", this.#stored);
    this.#changed();
  }

  #recalled() {
    const kept = recall("collection-values");
    return Object.fromEntries(Object.entries(isObject(kept) ? kept : {}).filter(([, text]) => typeof text === "string"));
  }
}
