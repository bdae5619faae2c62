// A type and its neighbours as a graph: the types that refer to it, its fields, and the types that these refer to. Or the whole schema.

import { SchemaMap } from "./map.js";
import { breakable } from "./prose.js";
import { namedType } from "./schema.js";

const element = (id) => document.getElementById(id);
const svg = (name) => document.createElementNS("http://www.w3.org/2000/svg", name);
const most = 60;

export class TypeGraph {
  schema = null;
  #trail = [];
  #openDocumentation;
  #map = new SchemaMap((typeName) => this.#enter(typeName));

  /** `openDocumentation(typeName)` shows the documentation of a type. */
  constructor(openDocumentation) {
    this.#openDocumentation = openDocumentation;
    element("graph-close").addEventListener("click", () => element("graph").close());
    element("graph-back").addEventListener("click", () => {
      this.#trail.pop();
      this.#draw();
    });
    element("graph-whole").addEventListener("click", () => {
      this.#showMap(element("graph-whole").ariaPressed !== "true");
      if (element("map-area").hidden) element("graph-title").focus();
      else this.#map.focus();
    });
    element("graph-docs").addEventListener("click", () => {
      element("graph").close();
      this.#openDocumentation(this.#trail.at(-1));
    });
    addEventListener("resize", () => { if (element("graph").open && element("map-area").hidden) this.#connect(); });
  }

  /** Shows the graph around a type. */
  open(typeName) {
    if (!this.schema?.types.has(typeName)) return;
    this.#trail = [typeName];
    element("graph").showModal();
    this.#showMap(false);
  }

  /** Shows the map of the whole schema, or the graph around a type. */
  #showMap(isWhole) {
    element("graph-whole").ariaPressed = String(isWhole);
    element("map-area").hidden = !isWhole;
    element("graph-area").hidden = isWhole;
    element("graph-back").hidden = isWhole || this.#trail.length < 2;
    element("graph-docs").hidden = isWhole;
    if (!isWhole) return this.#draw();
    this.#map.schema = this.schema;
    return this.#map.show(this.#trail.at(-1));
  }

  /** Goes on to another type. */
  #enter(name) {
    if (name !== this.#trail.at(-1)) this.#trail.push(name);
    this.#showMap(false);
    element("graph-title").focus();
  }

  #draw() {
    const type = this.schema.types.get(this.#trail.at(-1));
    element("graph-title").textContent = type.name;
    element("graph-back").hidden = this.#trail.length < 2;
    const users = [...this.schema.types.values()].filter((other) => other !== type && !other.name.startsWith("__") && refersTo(other, type.name));
    const members = [...type.fields.values()].map(({ name, type: reference }) => ({ name, reference, to: namedType(reference) }));
    const possible = type.possible.map((name) => ({ name: `… on ${name}`, reference: "", to: name }));
    const values = [...type.values.keys()].map((name) => ({ name, reference: "", to: null }));
    const rows = [...members, ...possible, ...values];
    const targets = [...new Set(rows.map(({ to }) => to))].filter((name) => name !== null && name !== type.name && this.#isShown(name));
    this.#column("graph-users", users.map(({ name }) => this.#node(name)), "No type refers to it.");
    this.#column("graph-fields", rows.map(({ name, reference, to }) => {
      const item = document.createElement("li");
      const code = document.createElement("code");
      code.textContent = reference === "" ? name : `${name}: ${reference}`;
      if (targets.includes(to)) item.dataset.to = to;
      item.append(code);
      return item;
    }), "It has no fields.");
    this.#column("graph-targets", targets.map((name) => this.#node(name)), "It refers to no other types.");
    // The type itself is in the middle, where a phone does not show all columns.
    const area = element("graph-area");
    area.scrollTo((area.scrollWidth - area.clientWidth) / 2, 0);
    this.#connect();
  }

  /** Whether a type is more than a leaf: scalars would have lines from everywhere. */
  #isShown(name) { return this.schema.types.get(name)?.kind !== "scalar"; }

  #column(id, items, none) {
    const shown = items.slice(0, most);
    if (shown.length < items.length || items.length === 0) {
      const rest = document.createElement("li");
      rest.className = "quiet";
      rest.textContent = items.length === 0 ? none : `and ${items.length - shown.length} more`;
      shown.push(rest);
    }
    element(id).replaceChildren(...shown);
  }

  #node(name) {
    const item = document.createElement("li");
    const button = document.createElement("button");
    const kind = document.createElement("small");
    button.type = "button";
    button.dataset.type = name;
    kind.textContent = this.schema.types.get(name)?.kind ?? "";
    button.append(...breakable(name), " ", kind);
    button.addEventListener("click", () => this.#enter(name));
    item.append(button);
    return item;
  }

  /** Draws the lines between the columns. They repeat what the lists say, and are hidden from screen readers. */
  #connect() {
    const area = element("graph-area");
    const lines = element("graph-lines");
    const origin = area.getBoundingClientRect();
    const box = (one) => {
      const { left, right, top, height } = one.getBoundingClientRect();
      return { left: left - origin.left + area.scrollLeft, right: right - origin.left + area.scrollLeft, y: top - origin.top + area.scrollTop + height / 2 };
    };
    const curve = (from, to) => {
      const path = svg("path");
      const middle = (from.right + to.left) / 2;
      path.setAttribute("d", `M${from.right} ${from.y} C${middle} ${from.y} ${middle} ${to.y} ${to.left} ${to.y}`);
      return path;
    };
    lines.setAttribute("width", "0");
    lines.setAttribute("height", "0");
    const center = box(element("graph-title"));
    const own = box(element("graph-fields"));
    const incoming = [...element("graph-users").querySelectorAll("button")].map((user) => curve(box(user), { left: own.left, y: center.y }));
    const targets = new Map([...element("graph-targets").querySelectorAll("button")].map((one) => [one.dataset.type, one]));
    const outgoing = [...element("graph-fields").querySelectorAll("[data-to]")].filter((one) => targets.has(one.dataset.to))
      .map((one) => curve({ ...box(one), right: own.right }, box(targets.get(one.dataset.to))));
    lines.replaceChildren(...incoming, ...outgoing);
    lines.setAttribute("width", String(area.scrollWidth));
    lines.setAttribute("height", String(area.scrollHeight));
  }
}

const refersTo = (other, name) => other.interfaces.includes(name) || other.possible.includes(name) || [...other.fields.values()].some((field) =>
  namedType(field.type) === name || [...field.arguments.values()].some((one) => namedType(one.type) === name));
