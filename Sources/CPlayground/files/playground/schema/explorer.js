// The documentation of the schema: types and their members, with links, search and back navigation.

import { namedType } from "./schema.js";
import { prose } from "./prose.js";

/** The maximum number of search results shown. */
const most = 60;
const element = (id) => document.getElementById(id);
const kinds = { type: "Object type", interface: "Interface", union: "Union", enum: "Enumeration", input: "Input", scalar: "Scalar" };

export class Explorer {
  #schema = null;
  #trail = [];

  constructor() {
    element("docs-search").addEventListener("input", ({ target }) => this.#search(target.value.trim()));
    element("docs-search").addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown" || event.key === "Enter") {
        const first = element("docs").querySelector("button");
        if (event.key === "Enter") first?.click();
        else first?.focus();
        event.preventDefault();
      }
    });
    element("docs").addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const buttons = [...element("docs").querySelectorAll("button")];
      const place = buttons.indexOf(document.activeElement);
      if (step === undefined || place < 0) return;
      event.preventDefault();
      (buttons[place + step] ?? (step < 0 ? element("docs-search") : buttons[place])).focus();
    });
    element("docs-back").addEventListener("click", () => {
      this.#trail.pop();
      this.#draw();
    });
  }

  set schema(schema) {
    this.#schema = schema;
    this.#draw();
  }

  fail(message) { element("docs").replaceChildren(paragraph(message, "error")); }

  /** Shows a type, or one of its members. */
  open(typeName, memberName) {
    if (!this.#schema?.types.has(typeName)) return;
    element("docs-search").value = "";
    this.#trail.push({ typeName, memberName });
    this.#draw();
  }

  #draw() {
    if (this.#schema === null) return;
    const shown = this.#trail.at(-1);
    element("docs-back").hidden = shown === undefined;
    const before = this.#trail.at(-2);
    element("docs-back").textContent = `← ${before ? before.typeName : "All types"}`;
    const parts = shown === undefined ? this.#overview() : this.#type(this.#schema.types.get(shown.typeName), shown.memberName);
    element("docs").replaceChildren(...parts);
    element("docs").scrollTop = 0;
    element("docs").querySelector(".chosen")?.scrollIntoView({ block: "nearest" });
  }

  #overview() {
    const roots = ["query", "mutation", "subscription"].filter((name) => this.#schema.rootType(name));
    const list = document.createElement("ul");
    list.append(...roots.map((name) => {
      const item = document.createElement("li");
      item.append(`${name}: `, this.#link(this.#schema.roots[name]));
      return item;
    }));
    const others = [...this.#schema.types.values()].filter(({ name }) =>
      !name.startsWith("__") && !Object.values(this.#schema.roots).includes(name));
    const groups = Object.entries(kinds).flatMap(([kind, title]) => {
      const names = others.filter((type) => type.kind === kind).map(({ name }) => name).sort();
      if (names.length === 0) return [];
      const all = document.createElement("ul");
      all.className = "names";
      all.append(...names.map((name) => {
        const item = document.createElement("li");
        item.append(this.#link(name));
        return item;
      }));
      return [heading(`${title}s`, "h3"), all];
    });
    return [heading("Root types", "h3"), list, ...groups];
  }

  #type(type, chosen) {
    const title = document.createElement("h3");
    title.textContent = type.name;
    const parts = [title, paragraph(kinds[type.kind], "quiet")];
    if (type.description) parts.push(prose(type.description));
    if (type.interfaces.length > 0) parts.push(this.#links("Implements", type.interfaces));
    if (type.possible.length > 0) parts.push(this.#links(type.kind === "union" ? "One of" : "Implemented by", type.possible));
    if (type.fields.size > 0) parts.push(heading("Fields"), this.#members(type.fields, chosen));
    if (type.values.size > 0) parts.push(heading("Values"), this.#members(type.values, chosen));
    const users = this.#users(type);
    if (users.length > 0) parts.push(this.#links("Used by", users));
    return parts;
  }

  #users(type) {
    return [...this.#schema.types.values()].filter((other) => [...other.fields.values()].some((field) =>
      namedType(field.type) === type.name || [...field.arguments.values()].some((one) => namedType(one.type) === type.name)))
      .map(({ name }) => name);
  }

  #members(members, chosen) {
    const list = document.createElement("ul");
    list.className = "members";
    list.append(...[...members.values()].map((member) => {
      const item = document.createElement("li");
      item.append(this.#signature(member));
      if (member.name === chosen) item.className = "chosen";
      if (member.deprecated) item.append(paragraph(`Deprecated: ${member.deprecated}`, "deprecated"));
      if (member.description) item.append(prose(member.description));
      return item;
    }));
    return list;
  }

  #signature(member) {
    const code = document.createElement("code");
    const name = document.createElement("span");
    name.className = member.deprecated ? "t-field gone" : "t-field";
    name.textContent = member.name;
    code.append(name);
    if (member.arguments.size > 0) {
      code.append("(");
      [...member.arguments.values()].forEach((argument, place) => {
        if (place > 0) code.append(", ");
        const label = document.createElement("span");
        label.className = "t-key";
        label.textContent = argument.name;
        label.title = argument.description;
        code.append(label, ": ", this.#link(argument.type));
        if (argument.value !== null) code.append(` = ${argument.value}`);
      });
      code.append(")");
    }
    if (member.type) code.append(": ", this.#link(member.type));
    if (member.value !== null) code.append(` = ${member.value}`);
    return code;
  }

  #link(reference) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "link t-type";
    button.textContent = reference;
    button.addEventListener("click", () => this.open(namedType(reference)));
    return button;
  }

  #links(title, names) {
    const block = document.createElement("p");
    block.append(`${title} `);
    names.forEach((name, place) => block.append(place > 0 ? ", " : "", this.#link(name)));
    return block;
  }

  #search(text) {
    if (text === "") return this.#draw();
    if (this.#schema === null) return;
    const wanted = text.toLowerCase();
    const found = [];
    for (const type of this.#schema.types.values()) {
      if (type.name.startsWith("__") && !wanted.startsWith("__")) continue;
      if (type.name.toLowerCase().includes(wanted)) found.push({ type, label: type.name, score: score(type.name, wanted) });
      for (const member of [...type.fields.values(), ...type.values.values()]) {
        const argument = [...member.arguments.values()].find(({ name }) => name.toLowerCase().includes(wanted));
        const isNamed = member.name.toLowerCase().includes(wanted);
        const isDescribed = member.description.toLowerCase().includes(wanted);
        if (!isNamed && !argument && !isDescribed) continue;
        const label = `${type.name}.${member.name}${!isNamed && argument ? `(${argument.name}:)` : ""}`;
        found.push({ type, member, label, score: isNamed ? score(member.name, wanted) + 0.5 : argument ? 3 : 4 });
      }
    }
    found.sort((one, other) => one.score - other.score);
    const list = document.createElement("ul");
    list.className = "choices";
    list.append(...found.slice(0, most).map(({ type, member, label }) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      const detail = document.createElement("small");
      button.type = "button";
      button.append(label, detail);
      detail.textContent = (member ?? type).deprecated ? `Deprecated: ${member.deprecated}` : firstSentence((member ?? type).description);
      button.addEventListener("click", () => this.open(type.name, member?.name));
      item.append(button);
      return item;
    }));
    const shown = found.length > most ? `${found.length} found, the first ${most} shown` : `${found.length} found`;
    const count = paragraph(found.length === 0 ? `No name or description contains “${text}”.` : shown, "quiet");
    count.setAttribute("role", "status");
    element("docs").replaceChildren(count, list);
  }
}

const firstSentence = (text) => /^.*?[.:](?=\s|$)|^.*/s.exec(text)[0].replaceAll(/\s+/g, " ").replaceAll("`", "").replace(/:$/, ".");

const score = (name, wanted) => (name.toLowerCase() === wanted ? 0 : name.toLowerCase().startsWith(wanted) ? 1 : 2);

function heading(text, level = "h4") {
  const title = document.createElement(level);
  title.className = "group";
  title.textContent = text;
  return title;
}

function paragraph(text, className) {
  const block = document.createElement("p");
  block.className = className;
  block.textContent = text;
  return block;
}
