// The requests that were run, newest first, stored between visits without headers, passwords and tokens.

import { askForName } from "./ask.js";
import { operationsOf, parse } from "./language/parser.js";
import { holdsSecret, recall, remember, requestsIn, whenRemembered } from "./memory.js";

const element = (id) => document.getElementById(id);
const maximum = 50;

export class History {
  #entries = requestsIn(recall("history"));
  #open;

  /** `open({ query, variables })` is called when a request is chosen. */
  constructor(open) {
    this.#open = open;
    element("history-search").addEventListener("input", () => this.#draw());
    element("history-clear").addEventListener("click", () => {
      this.#entries = this.#entries.filter(({ isStarred }) => isStarred);
      this.#changed();
    });
    whenRemembered("history", () => {
      this.#entries = requestsIn(recall("history"));
      this.#draw();
    });
    this.#draw();
  }

  add({ query, variables }) {
    if (holdsSecret(query)) return;
    const entry = { query, variables: holdsSecret(variables) ? "" : variables, at: Date.now() };
    const isSame = (other) => other.query === entry.query && other.variables === entry.variables;
    const { isStarred, label } = this.#entries.find(isSame) ?? {};
    const others = this.#entries.filter((other) => !isSame(other));
    // Those with a star are kept, however many follow.
    let room = maximum;
    this.#entries = [{ ...entry, isStarred: isStarred === true, label }, ...others].filter((one) => one.isStarred === true || room-- > 0);
    this.#changed();
  }

  #changed() {
    remember("history", this.#entries);
    this.#draw();
  }

  #draw() {
    const words = element("history-search").value.toLowerCase().split(/\s+/);
    const text = ({ label, query, variables }) => `${label ?? ""} ${query} ${variables}`.toLowerCase();
    const found = this.#entries.filter((entry) => words.every((word) => text(entry).includes(word)));
    element("history-clear").hidden = this.#entries.every(({ isStarred }) => isStarred);
    element("history-search").hidden = this.#entries.length === 0;
    element("history-empty").hidden = found.length > 0;
    element("history-empty").textContent = this.#entries.length > 0
      ? "No request contains all these words." : "Requests that you run are listed here, in this browser only.";
    // Those with a star come first.
    const ordered = [...found.filter(({ isStarred }) => isStarred), ...found.filter(({ isStarred }) => !isStarred)];
    element("history").replaceChildren(...ordered.map((entry) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      const detail = document.createElement("small");
      const [operation] = operationsOf(parse(entry.query));
      button.type = "button";
      detail.textContent = `${operation?.operation ?? "document"} · ${new Date(entry.at).toLocaleString()}`;
      const name = labelOf(entry) ?? operation?.name ?? operation?.selection?.items[0]?.name ?? "Untitled";
      button.append(name, detail);
      button.addEventListener("click", () => this.#open(entry));
      item.className = "with-tool";
      item.append(button, this.#label(entry, name), this.#star(entry, name));
      return item;
    }));
  }

  #star(entry, name) {
    const star = this.#tool(entry, { kind: "star", text: entry.isStarred ? "★" : "☆", name: `Star ${name}` }, () => {
      entry.isStarred = !entry.isStarred;
    });
    star.ariaPressed = String(entry.isStarred === true);
    star.title = entry.isStarred ? "Remove the star" : "Star: stays on top, and is never forgotten";
    return star;
  }

  #label(entry, name) {
    const label = this.#tool(entry, { kind: "label", text: "✎", name: `Label ${name}` }, async () => {
      const entered = await askForName("Label request", name);
      if (entered !== null && !holdsSecret(entered.name)) entry.label = entered.name;
    });
    label.title = "Label";
    return label;
  }

  /** A button that changes an entry, and has the focus again afterwards. */
  #tool(entry, { kind, text, name }, change) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "tool";
    button.textContent = text;
    button.ariaLabel = name;
    button.dataset.key = `${kind} ${entry.at}`;
    button.addEventListener("click", async () => {
      await change();
      const { key } = button.dataset;
      this.#changed();
      element("history").querySelector(`[data-key="${key}"]`)?.focus();
    });
    return button;
  }
}

/** The name that the user gave a request, if any. */
const labelOf = ({ label }) => (typeof label === "string" ? label : null);
