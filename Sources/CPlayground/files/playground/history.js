// The requests that were run, newest first, stored between visits without headers, passwords and tokens.

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
    element("history-clear").addEventListener("click", () => {
      this.#entries = [];
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
    this.#entries = [entry, ...this.#entries.filter((other) => !isSame(other))].slice(0, maximum);
    this.#changed();
  }

  #changed() {
    remember("history", this.#entries);
    this.#draw();
  }

  #draw() {
    element("history-clear").hidden = this.#entries.length === 0;
    element("history-empty").hidden = this.#entries.length > 0;
    element("history").replaceChildren(...this.#entries.map((entry) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      const detail = document.createElement("small");
      const [operation] = operationsOf(parse(entry.query));
      button.type = "button";
      detail.textContent = `${operation?.operation ?? "document"} · ${new Date(entry.at).toLocaleString()}`;
      button.append(operation?.name ?? operation?.selection?.items[0]?.name ?? "Untitled", detail);
      button.addEventListener("click", () => this.#open(entry));
      item.append(button);
      return item;
    }));
  }
}
