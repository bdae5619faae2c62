// Files to upload: one input for each path in the variables that accepts a file, as declared by the operation.

import { namedType } from "./schema/schema.js";

const element = (id) => document.getElementById(id);

export class Files {
  #chosen = new Map();
  #shown = "";
  #chosenOfTabs = new WeakMap();

  /** The files to upload, each { path, file }. */
  get chosen() { return [...this.#chosen.values()]; }

  /** Restores the files chosen in a tab. The inputs follow with its operation. */
  turnTo(tab) {
    if (!this.#chosenOfTabs.has(tab)) this.#chosenOfTabs.set(tab, new Map());
    this.#chosen = this.#chosenOfTabs.get(tab);
    this.#shown = null;
  }

  /** Shows an input for each upload of the operation. */
  update(operation, schema) {
    const places = (operation?.variables?.items ?? []).flatMap(({ name, type }) => uploads(["variables", name], type, schema, 0));
    const shown = places.map((path) => path.join(".")).join(" ");
    if (shown === this.#shown) return;
    this.#shown = shown;
    for (const key of this.#chosen.keys()) if (!shown.split(" ").includes(key)) this.#chosen.delete(key);
    element("files-empty").hidden = places.length > 0;
    element("files").replaceChildren(...places.map((path, number) => this.#field(path, number)));
    this.#count();
  }

  #field(path, number) {
    const key = path.join(".");
    const item = document.createElement("li");
    const label = document.createElement("label");
    const input = document.createElement("input");
    input.type = "file";
    input.id = `file-${number}`;
    if (this.#chosen.has(key)) input.files = this.#chosen.get(key).list;
    label.htmlFor = input.id;
    label.textContent = path.slice(1).join(".");
    input.addEventListener("change", () => {
      const [file] = input.files;
      if (file) this.#chosen.set(key, { path, file, list: input.files });
      else this.#chosen.delete(key);
      this.#count();
    });
    item.append(label, input);
    return item;
  }

  #count() { element("files-count").textContent = this.#chosen.size === 0 ? "" : ` (${this.#chosen.size})`; }
}

/** The paths within a variable that accept a file. */
function uploads(path, reference, schema, depth) {
  const type = schema?.type(reference);
  if (namedType(reference) === "Upload") return reference.startsWith("[") ? [[...path, "0"]] : [path];
  if (type?.kind !== "input" || reference.startsWith("[") || depth > 3) return [];
  return [...type.fields.values()].flatMap((field) => uploads([...path, field.name], field.type, schema, depth + 1));
}
