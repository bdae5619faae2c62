// Files to upload: one input for each path in the variables that accepts a file, as declared by the operation.

import { namedType } from "./schema/schema.js";

const element = (id) => document.getElementById(id);

export class Files {
  #chosen = new Map();
  #shown = "";
  #chosenOfTabs = new WeakMap();

  /** The files to upload, each { path, file }. Those of a list have their index at the end of the path. */
  get chosen() {
    return [...this.#chosen.values()].flatMap(({ path, isList, list }) => [...list].map((file, place) => (
      { path: isList ? [...path, place] : path, file })));
  }

  /** Restores the files chosen in a tab. The inputs follow with its operation. */
  turnTo(tab) {
    if (!this.#chosenOfTabs.has(tab)) this.#chosenOfTabs.set(tab, new Map());
    this.#chosen = this.#chosenOfTabs.get(tab);
    this.#shown = null;
  }

  /** Shows an input for each upload of the operation. */
  update(operation, schema) {
    const places = (operation?.variables?.items ?? []).flatMap(({ name, type }) => uploads(["variables", name], type, schema, 0));
    const shown = places.map(keyOf).join(" ");
    if (shown === this.#shown) return;
    this.#shown = shown;
    for (const key of this.#chosen.keys()) if (!shown.split(" ").includes(key)) this.#chosen.delete(key);
    element("files-empty").hidden = places.length > 0;
    element("files").replaceChildren(...places.map((place, number) => this.#field(place, number)));
    this.#count();
  }

  #field({ path, isList }, number) {
    const key = keyOf({ path, isList });
    const item = document.createElement("li");
    const label = document.createElement("label");
    const input = document.createElement("input");
    input.type = "file";
    input.multiple = isList;
    input.id = `file-${number}`;
    if (this.#chosen.has(key)) input.files = this.#chosen.get(key).list;
    label.htmlFor = input.id;
    label.textContent = path.slice(1).join(".") + (isList ? " (several files)" : "");
    input.addEventListener("change", () => {
      if (input.files.length > 0) this.#chosen.set(key, { path, isList, list: input.files });
      else this.#chosen.delete(key);
      this.#count();
    });
    item.append(label, input);
    return item;
  }

  #count() {
    const { length } = this.chosen;
    element("files-count").textContent = length === 0 ? "" : ` (${length})`;
  }
}

const keyOf = ({ path, isList }) => path.join(".") + (isList ? "[]" : "");

/** The places within a variable that accept a file, or a list of files: { path, isList }. */
function uploads(path, reference, schema, depth) {
  const type = schema?.type(reference);
  if (namedType(reference) === "Upload") return reference.startsWith("[[") ? [] : [{ path, isList: reference.startsWith("[") }];
  if (type?.kind !== "input" || reference.startsWith("[") || depth > 3) return [];
  return [...type.fields.values()].flatMap((field) => uploads([...path, field.name], field.type, schema, depth + 1));
}
