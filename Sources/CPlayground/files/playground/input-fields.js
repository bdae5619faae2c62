// Edits the values of variables by their types: input objects as trees of checkboxes, leaves as fields.

import { readObject } from "./json-object.js";
import { isNeeded } from "./language/declarations.js";
import { namedType } from "./schema/schema.js";

const itemType = (reference) => /^\[(.*)\]!?$/.exec(reference)[1];

export class InputFields {
  schema = null;
  #variables;
  #redraw;

  /** `redraw()` is called when other fields are to be shown. */
  constructor(variables, redraw) {
    this.#variables = variables;
    this.#redraw = redraw;
  }

  /** Gives initial values to variables, each { name, type }, that have none. */
  begin(added) {
    const { value = {}, problem } = readObject(this.#variables.text, "Variables");
    const lacking = added.filter(({ name }) => !Object.hasOwn(value, name));
    if (problem !== undefined || lacking.length === 0) return;
    this.#write({ ...value, ...Object.fromEntries(lacking.map(({ name, type }) => [name, this.#initial(type)])) });
  }

  /** Removes the values of variables. */
  forget(names) {
    const { value, problem } = readObject(this.#variables.text, "Variables");
    if (problem !== undefined || !names.some((name) => Object.hasOwn(value ?? {}, name))) return;
    this.#write(Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name))));
  }

  /** What edits the value at a path of the variables, by its type. */
  editor(reference, path) {
    const { value, problem } = readObject(this.#variables.text, "Variables");
    if (problem !== undefined) return note(problem);
    return this.#part(reference, path, path.reduce((inner, key) => inner?.[key], value));
  }

  #part(reference, path, value) {
    const type = this.schema.type(reference);
    if (type?.kind !== "input") return this.#control(reference, type, path, value);
    return reference.startsWith("[") ? this.#items(itemType(reference), path, value) : this.#members(type, path, value);
  }

  #members(type, path, value) {
    const list = document.createElement("ul");
    list.className = "arguments";
    list.append(...[...type.fields.values()].map((field) => {
      const own = [...path, field.name];
      const isGiven = Object.hasOwn(value ?? {}, field.name);
      const entry = document.createElement("li");
      const label = document.createElement("label");
      const box = document.createElement("input");
      const name = document.createElement("span");
      box.type = "checkbox";
      box.checked = isGiven;
      box.disabled = isGiven && isNeeded(field);
      box.dataset.path = `$${own.join(".")}`;
      box.addEventListener("change", () => {
        // Of a @oneOf input, exactly one field is set.
        if (type.isOneOf && box.checked) this.#set(path, { [field.name]: this.#initial(field.type) });
        else this.#set(own, box.checked ? this.#initial(field.type) : undefined);
        this.#redraw();
      });
      name.className = field.deprecated ? "t-key gone" : "t-key";
      name.textContent = `${field.name}: ${field.type}`;
      label.title = field.description;
      label.append(box, name);
      if (isNeeded(field)) label.append(note("required", "span"));
      entry.append(label);
      if (isGiven) entry.append(this.#part(field.type, own, value[field.name]));
      return entry;
    }));
    return list;
  }

  #items(reference, path, value) {
    const items = Array.isArray(value) ? value : [];
    const list = document.createElement("ol");
    list.className = "arguments";
    list.append(...items.map((item, place) => {
      const entry = document.createElement("li");
      const number = note(`${place + 1}. `, "span");
      const removing = () => this.#set(path, this.#current(path).filter((_, other) => other !== place));
      entry.append(number, this.#button("Remove", `Remove item ${place + 1} of ${path.join(".")}`, removing), this.#part(reference, [...path, place], item));
      return entry;
    }));
    const last = document.createElement("li");
    last.append(this.#button("Add an item", `Add an item to ${path.join(".")}`, () => this.#set(path, [...this.#current(path), this.#initial(reference)])));
    list.append(last);
    return list;
  }

  /** The list at a path, as it is now: its items may have been edited since they were shown. */
  #current(path) {
    const list = path.reduce((inner, key) => inner?.[key], readObject(this.#variables.text, "Variables").value);
    return Array.isArray(list) ? list : [];
  }

  #button(text, label, act) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "link";
    button.textContent = text;
    button.setAttribute("aria-label", label);
    button.addEventListener("click", () => {
      act();
      this.#redraw();
    });
    return button;
  }

  /** A field for a leaf. Lists of leaves are written as JSON. */
  #control(reference, type, path, value) {
    if (namedType(reference) === "Upload") return note("Choose the file under Files.");
    const isList = reference.startsWith("[");
    const choices = isList ? null : type?.kind === "enum" ? [...type.values.keys()] : type?.name === "Boolean" ? ["true", "false"] : null;
    const control = document.createElement(choices ? "select" : "input");
    control.className = "value";
    control.setAttribute("aria-label", path.join("."));
    control.dataset.path = `=${path.join(".")}`;
    if (choices) {
      control.append(...(reference.endsWith("!") ? [] : [new Option("null")]), ...choices.map((choice) => new Option(choice)));
    } else if (!isList && ["Int", "Float"].includes(type?.name)) {
      control.type = "number";
      control.step = type.name === "Int" ? "1" : "any";
    } else {
      control.autocomplete = "off";
      control.spellcheck = false;
    }
    control.value = isList ? JSON.stringify(value ?? null) : String(value ?? (choices ? null : ""));
    control.addEventListener(choices ? "change" : "input", () => {
      const entered = this.#entered(control, { isList, type, isNullable: !reference.endsWith("!") });
      control.setAttribute("aria-invalid", String(entered === undefined));
      if (entered !== undefined) this.#set(path, entered);
    });
    return control;
  }

  /** The entered value; undefined if it is not one of the type. */
  #entered({ value, type: kind, tagName }, { isList, type, isNullable }) {
    if (isList) {
      try {
        const list = JSON.parse(value);
        return Array.isArray(list) || (list === null && isNullable) ? list : undefined;
      } catch {
        return undefined;
      }
    }
    if (tagName === "SELECT") return value === "null" ? null : type.name === "Boolean" ? value === "true" : value;
    if (kind === "number") return value === "" ? (isNullable ? null : undefined) : Number(value);
    return value;
  }

  /** The value that a new field has. Required fields of an input object have one, too. */
  #initial(reference) {
    const type = this.schema.type(reference);
    if (reference.startsWith("[")) return [];
    if (type?.kind === "input") {
      const fields = [...type.fields.values()];
      const given = type.isOneOf ? fields.slice(0, 1) : fields.filter(isNeeded);
      return Object.fromEntries(given.map((field) => [field.name, this.#initial(field.type)]));
    }
    if (type?.kind === "enum") return [...type.values.keys()][0];
    if (type?.name === "Upload") return null;
    return { Boolean: false, Int: 0, Float: 0 }[type?.name] ?? "";
  }

  /** Sets the value at a path, or removes it if it is undefined. */
  #set(path, value) {
    const values = readObject(this.#variables.text, "Variables").value ?? {};
    let holder = values;
    for (const key of path.slice(0, -1)) {
      if (holder[key] === null || typeof holder[key] !== "object") holder[key] = {};
      holder = holder[key];
    }
    if (value === undefined) delete holder[path.at(-1)];
    else holder[path.at(-1)] = value;
    this.#write(values);
  }

  #write(values) { this.#variables.fill(Object.keys(values).length === 0 ? "" : JSON.stringify(values, null, 2)); }
}

function note(text, name = "p") {
  const element = document.createElement(name);
  element.className = "quiet";
  element.textContent = text;
  return element;
}
