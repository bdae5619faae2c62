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
    const isStarred = this.#entries.some((other) => isSame(other) && other.isStarred === true);
    const others = this.#entries.filter((other) => !isSame(other));
    // Those with a star are kept, however many follow.
    let room = maximum;
    this.#entries = [{ ...entry, isStarred }, ...others].filter((one) => one.isStarred === true || room-- > 0);
    this.#changed();
  }

  #changed() {
    remember("history", this.#entries);
    this.#draw();
  }

  #draw() {
    const words = element("history-search").value.toLowerCase().split(/\s+/);
    const found = this.#entries.filter(({ query, variables }) => words.every((word) => `${query} ${variables}`.toLowerCase().includes(word)));
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
      button.append(operation?.name ?? operation?.selection?.items[0]?.name ?? "Untitled", detail);
      button.addEventListener("click", () => this.#open(entry));
      item.className = "with-tool";
      item.append(button, this.#star(entry, button.firstChild.textContent));
      return item;
    }));
  }

  #star(entry, name) {
    const star = document.createElement("button");
    star.type = "button";
    star.className = "tool";
    star.textContent = entry.isStarred ? "★" : "☆";
    star.ariaLabel = `Star ${name}`;
    star.ariaPressed = String(entry.isStarred === true);
    star.title = entry.isStarred ? "Remove the star" : "Star: stays on top, and is never forgotten";
    star.addEventListener("click", () => {
      entry.isStarred = !entry.isStarred;
      const { at } = entry;
      this.#changed();
      element("history").querySelector(`[data-at="${at}"]`)?.focus();
    });
    star.dataset.at = entry.at;
    return star;
  }
}
