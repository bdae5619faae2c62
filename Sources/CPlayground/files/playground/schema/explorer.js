// The documentation of the schema: types and their members, with links, search and back navigation.

import { isCarrier, namedType } from "./schema.js";
import { described } from "./prose.js";

/** The maximum number of search results shown. */
const most = 60;
const element = (id) => document.getElementById(id);
const kinds = { type: "Object type", interface: "Interface", union: "Union", enum: "Enumeration", input: "Input", scalar: "Scalar" };
const rootTitles = { query: "Queries", mutation: "Mutations", subscription: "Subscriptions" };

export class Explorer {
  #schema = null;
  #trail = [];
  /** The groups of the overview that were opened or closed, by title. */
  #folds = new Map();

  #showGraph;

  /** `showGraph(typeName)` shows the graph around a type. */
  constructor(showGraph) {
    this.#showGraph = showGraph;
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

  /** The type that is shown, if one is. */
  get typeName() { return this.#trail.at(-1)?.typeName; }

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
    element("docs-back").textContent = `← ${before ? before.typeName : "Overview"}`;
    const parts = shown === undefined ? this.#overview() : this.#type(this.#schema.types.get(shown.typeName), shown.memberName);
    element("docs").replaceChildren(...parts);
    element("docs").scrollTop = 0;
    element("docs").querySelector(".chosen")?.scrollIntoView({ block: "nearest" });
  }

  /** The operations, then the types by topic. Types that only carry others are folded together at the end. */
  #overview() {
    const operations = Object.entries(rootTitles).flatMap(([operation, title]) => {
      const root = this.#schema.rootType(operation);
      if (!root) return [];
      const names = [...root.fields.values()].map(({ name }) => this.#link(name, root.name, name));
      return [this.#fold(title, names, { key: operation, isOpen: operation === "query" })];
    });
    const roots = new Set(Object.values(this.#schema.roots));
    const topics = new Map();
    const carriers = [];
    for (const type of this.#schema.types.values()) {
      if (type.name.startsWith("__") || roots.has(type.name)) continue;
      if (isCarrier(type)) carriers.push(type);
      else if (topics.has(type.topic)) topics.get(type.topic).push(type);
      else topics.set(type.topic, [type]);
    }
    const links = (types) => types.map(({ name }) => name).sort().map((name) => this.#link(name));
    const byTopic = [...topics].filter(([topic]) => topic !== null).map(([topic, types]) => this.#fold(topic, links(types)));
    const rest = topics.has(null) ? [this.#fold(byTopic.length > 0 ? "Other types" : "All types", links(topics.get(null)))] : [];
    const last = carriers.length > 0 ? [this.#fold("Pages and payloads", links(carriers))] : [];
    return [heading("Operations", "h3"), ...operations, heading("Types", "h3"), ...byTopic, ...rest, ...last];
  }

  /** A group of names that opens and closes. It stays as it is while the page is open. */
  #fold(title, links, { key = title, isOpen = false } = {}) {
    const group = document.createElement("details");
    const summary = document.createElement("summary");
    const count = document.createElement("span");
    const list = document.createElement("ul");
    count.className = "quiet";
    count.textContent = links.length;
    summary.append(title, " ", count);
    list.className = "names";
    list.append(...links.map((link) => {
      const item = document.createElement("li");
      item.append(link);
      return item;
    }));
    group.className = "fold";
    group.open = this.#folds.get(key) ?? isOpen;
    group.addEventListener("toggle", () => this.#folds.set(key, group.open));
    group.append(summary, list);
    return group;
  }

  #type(type, chosen) {
    const title = document.createElement("h3");
    title.textContent = type.name;
    const about = paragraph(`${kinds[type.kind]} · `, "quiet");
    const graph = document.createElement("button");
    graph.type = "button";
    graph.className = "link";
    graph.textContent = "Graph";
    graph.addEventListener("click", () => this.#showGraph(type.name));
    about.append(graph);
    const parts = [title, about];
    parts.push(...described(type));
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
      item.append(...described(member));
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

  #link(reference, typeName = namedType(reference), memberName = undefined) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "link t-type";
    button.textContent = reference;
    button.addEventListener("click", () => this.open(typeName, memberName));
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
    const words = text.toLowerCase().split(/[\s.]+/).filter((word) => word !== "");
    const found = [];
    for (const type of this.#schema.types.values()) {
      if (type.name.startsWith("__") && !words.some((word) => word.startsWith("__"))) continue;
      const own = scoreOf(words, { name: type.name });
      if (own !== null) found.push({ type, label: type.name, score: own });
      for (const member of [...type.fields.values(), ...type.values.values()]) {
        const score = scoreOf(words, { owner: type.name, name: member.name, description: member.description, names: [...member.arguments.keys()] });
        if (score === null) continue;
        const isNamed = words.some((word) => member.name.toLowerCase().includes(word));
        const argument = isNamed ? undefined : [...member.arguments.keys()].find((name) => words.some((word) => name.toLowerCase().includes(word)));
        found.push({ type, member, label: `${type.name}.${member.name}${argument ? `(${argument}:)` : ""}`, score: score + 0.5 });
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
    const count = paragraph(found.length === 0 ? `Nothing contains ${words.length > 1 ? "all the words of " : ""}“${text}”.` : shown, "quiet");
    count.setAttribute("role", "status");
    element("docs").replaceChildren(count, list);
  }
}

const firstSentence = (text) => /^.*?[.:](?=\s|$)|^.*/s.exec(text)[0].replaceAll(/\s+/g, " ").replaceAll("`", "").replace(/:$/, ".");

const rank = (name, wanted) => (name === wanted ? 0 : name.startsWith(wanted) ? 1 : name.includes(wanted) ? 2 : null);

/**
 * How well a type or member matches, best first: by its name, by the names of its arguments, then by its description. Null unless
 * every word occurs somewhere in them; one of them has to be in the member itself, not only in the name of its type.
 */
function scoreOf(words, { owner = "", name, description = "", names = [] }) {
  const own = name.toLowerCase();
  const whole = rank(own, words.join(""));
  if (whole !== null) return whole;
  const inner = words.map((word) => {
    if (own.includes(word)) return 2.5;
    if (names.some((one) => one.toLowerCase().includes(word))) return 3;
    return description.toLowerCase().includes(word) ? 4 : null;
  });
  const all = inner.map((score, place) => score ?? (owner.toLowerCase().includes(words[place]) ? 3.5 : null));
  return inner.every((score) => score === null) || all.includes(null) ? null : Math.max(...all);
}

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
