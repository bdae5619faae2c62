// The whole schema as a map: its types by topic. The lines of a type are drawn while the pointer or the focus is on it: those of all
// types at once would cover each other.

import { breakable } from "./prose.js";
import { isCarrier, namedType } from "./schema.js";

const element = (id) => document.getElementById(id);

export class SchemaMap {
  schema = null;
  #choose;
  /** By type, the types it refers to. */
  #targets = new Map();
  #shown = "";

  /** `choose(typeName)` is called when a type is chosen. */
  constructor(choose) {
    this.#choose = choose;
    element("map-inputs").addEventListener("change", () => this.show(this.#shown));
    for (const event of ["pointerover", "focusin"]) {
      element("map-topics").addEventListener(event, ({ target }) => {
        const name = target.closest("[data-type]")?.dataset.type;
        if (name !== undefined && name !== this.#shown) this.#connect(name);
      });
    }
    addEventListener("resize", () => { if (element("map-area").checkVisibility()) this.#connect(this.#shown); });
  }

  /** Draws the map, with the lines of a type. */
  show(typeName) {
    const kinds = new Set(["type", "interface", "union", ...(element("map-inputs").checked ? ["input", "enum"] : [])]);
    const types = [...this.schema.types.values()].filter((type) => kinds.has(type.kind) && !isCarrier(type) && !type.name.startsWith("__"));
    const names = new Set(types.map(({ name }) => name));
    this.#targets = new Map(types.map((type) => [type.name, new Set([...this.#reached(type)].filter((name) => names.has(name)))]));
    const roots = new Set(Object.values(this.schema.roots));
    const topics = Map.groupBy(types, ({ name, topic }) => (roots.has(name) ? "Operations" : topic ?? "Other types"));
    const ordered = [...topics].toSorted(([one], [other]) => Number(other === "Operations") - Number(one === "Operations"));
    element("map-topics").replaceChildren(...ordered.map(([topic, members]) => this.#topic(topic, members)));
    this.#connect(names.has(typeName) ? typeName : this.schema.roots.query);
  }

  focus() { this.#node(this.#shown)?.focus(); }

  /** The types that a type refers to. Pages and payloads stand for what they contain. */
  #reached(type, entered = new Set()) {
    const fields = [...type.fields.values()];
    const references = [...fields, ...fields.flatMap((field) => [...field.arguments.values()])].map((one) => namedType(one.type));
    return new Set([...references, ...type.possible, ...type.interfaces].flatMap((name) => {
      const other = this.schema.types.get(name);
      if (other === undefined || !isCarrier(other)) return [name];
      return entered.has(name) ? [] : [...this.#reached(other, new Set([...entered, name]))];
    }));
  }

  #topic(topic, types) {
    const group = document.createElement("section");
    const title = document.createElement("h3");
    const list = document.createElement("ul");
    title.className = "group";
    title.textContent = topic;
    list.append(...types.map(({ kind, name }) => {
      const [item, button] = [document.createElement("li"), document.createElement("button")];
      button.type = "button";
      button.dataset.type = name;
      button.append(...breakable(name));
      if (kind !== "type") {
        const note = document.createElement("small");
        note.textContent = kind;
        button.append(" ", note);
      }
      button.addEventListener("click", () => this.#choose(name));
      item.append(button);
      return item;
    }));
    group.append(title, list);
    return group;
  }

  #node(name) { return element("map-topics").querySelector(`[data-type="${name}"]`); }

  /** Draws the lines of a type, and marks its neighbours. They repeat what the graph around the type lists. */
  #connect(name) {
    this.#shown = name;
    const targets = this.#targets.get(name) ?? new Set();
    const users = new Set([...this.#targets].filter(([, all]) => all.has(name)).map(([user]) => user));
    for (const node of element("map-topics").querySelectorAll("[data-type]")) {
      const { type } = node.dataset;
      node.className = type === name ? "chosen" : targets.has(type) || users.has(type) ? "near" : "";
    }
    element("map-about").textContent = `${name} refers to ${counted(targets.size)} (solid lines), and ${counted(users.size)} to it (dashed lines).`;
    const origin = element("map-topics").getBoundingClientRect();
    const box = (one) => {
      const { left, right, top, height } = this.#node(one).getBoundingClientRect();
      return { left: left - origin.left, right: right - origin.left, y: top - origin.top + height / 2 };
    };
    const own = box(name);
    const lines = [...targets].map((one) => curve(own, box(one), "out")).concat([...users].map((one) => curve(own, box(one), "in")));
    element("map-lines").replaceChildren(...lines);
    element("map-lines").setAttribute("width", String(origin.width));
    element("map-lines").setAttribute("height", String(origin.height));
  }
}

/** From one side of a box to the nearer side of another. */
function curve(from, to, className) {
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  const [start, end, bend] = to.left >= from.right ? [from.right, to.left, 40] : to.right <= from.left ? [from.left, to.right, -40] : [from.left, to.left, -30];
  const isBeside = start === from.left && end === to.left;
  path.setAttribute("d", `M${start} ${from.y} C${start + bend} ${from.y} ${isBeside ? end + bend : end - bend} ${to.y} ${end} ${to.y}`);
  path.setAttribute("class", className);
  return path;
}

const counted = (count) => (count === 1 ? "1 type" : `${count} types`);
