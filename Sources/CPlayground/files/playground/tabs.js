// Requests side by side: each tab has a query, variables and headers of its own, kept between visits. Windows that are open at
// the same time have their own tabs; a new one begins with those of the last.

import { askForName } from "./ask.js";
import { operationsOf, parse } from "./language/parser.js";
import { hasScripts, holdsSecret, recall, remember, requestsIn, safeHeaders } from "./memory.js";

const element = (id) => document.getElementById(id);
const nothing = { query: "", variables: "", headers: "", before: "", after: "", isImported: false };

export class Tabs {
  #tabs;
  #current;
  #show;
  #closed;
  #running = new Set();
  /** The tab that is being dragged, or null. */
  #dragged = null;

  /** `show(tab)` shows a tab's { query, variables, headers, before, after } in the editors; `closed(tab)` is called after a tab was closed. */
  constructor(first, show, closed) {
    this.#show = show;
    this.#closed = closed;
    const kept = recall("tabs", { isOfThisWindow: true }) ?? recall("tabs");
    this.#tabs = requestsIn(kept?.tabs);
    if (this.#tabs.length === 0) this.#tabs.push({ ...nothing, ...first });
    this.#current = Math.min(Math.max(0, Number(kept?.current) || 0), this.#tabs.length - 1);
    element("tab-new").addEventListener("click", () => this.open(nothing));
    element("tabs").addEventListener("keydown", (event) => this.#pressed(event));
    element("tabs").addEventListener("dblclick", ({ target }) => { if (target.closest('[role="tab"]')) this.rename(); });
    this.#draw();
    show(this.current);
  }

  get current() { return this.#tabs[this.#current]; }

  /** Stores the content of the editors. */
  note(part) {
    const former = title(this.current);
    Object.assign(this.current, part);
    // What is written where nothing was imported, or nothing is left of it, is the user's own.
    if (!hasScripts(this.current)) this.current.isImported = false;
    this.#keep();
    if (title(this.current) !== former) this.#draw();
  }

  /** Stores that the user has allowed the imported scripts of a tab. */
  allowScripts(tab) {
    tab.isImported = false;
    this.#keep();
  }

  /** Stores whether the request of a tab is running, which the other tabs show too. */
  mark(tab, isRunning) {
    if (this.#running.has(tab) === isRunning) return;
    if (isRunning) this.#running.add(tab);
    else this.#running.delete(tab);
    this.#draw();
  }

  /** Opens a tab, or reuses the current one if it is empty. */
  open(tab) {
    if (this.current.query.trim() === "" && tab.query !== "" && !hasScripts(this.current)) {
      Object.assign(this.current, { ...nothing, name: undefined, collection: undefined }, tab);
    } else {
      this.#tabs.push({ ...nothing, ...tab });
      this.#current = this.#tabs.length - 1;
    }
    this.#changed();
  }

  select(place) {
    this.#current = (place + this.#tabs.length) % this.#tabs.length;
    this.#changed();
  }

  get title() { return title(this.current); }

  /** Stores the name and the collection under which the request of a tab is saved. */
  nameAs(tab, { name, collection }) {
    Object.assign(tab, { name, collection });
    this.#keep();
    this.#draw();
  }

  /** Gives the tabs of a saved request its other name or collection. */
  follow(former, { name, collection }) {
    for (const tab of this.#tabs) if (tab.name === former.name && tab.collection === former.collection) Object.assign(tab, { name, collection });
    this.#keep();
    this.#draw();
  }

  /** Asks for the name of the current tab, which otherwise has that of its operation. */
  async rename() {
    const tab = this.current;
    const entered = await askForName("Rename tab", title(tab));
    if (entered === null) return;
    tab.name = entered.name;
    this.#keep();
    this.#draw();
  }

  /** Opens a tab with the same content beside the current one. */
  duplicate() {
    this.#tabs.splice(this.#current + 1, 0, { ...this.current, ...(this.current.name ? { name: `${this.current.name} copy` } : {}) });
    this.select(this.#current + 1);
  }

  /** Moves the current tab by one place to the left (-1) or right (1). */
  move(step) { this.#put(this.#current, this.#current + step); }

  #put(from, to) {
    if (to < 0 || to >= this.#tabs.length || from === to) return;
    const { current } = this;
    this.#tabs.splice(to, 0, ...this.#tabs.splice(from, 1));
    this.#current = this.#tabs.indexOf(current);
    this.#keep();
    this.#draw();
  }

  next(step) { this.select(this.#current + step); }

  close(place = this.#current) {
    this.#closed(...this.#tabs.splice(place, 1));
    if (this.#tabs.length === 0) this.#tabs.push({ ...nothing });
    if (this.#current >= place && this.#current > 0) this.#current -= 1;
    this.#changed();
  }

  #changed() {
    this.#keep();
    this.#draw();
    this.#show(this.current);
  }

  #keep() {
    const clean = (text) => (holdsSecret(text) ? "" : text);
    const kept = {
      current: this.#current,
      tabs: this.#tabs.map(({ query, variables, headers, before, after, isImported, name, collection }) => ({
        query: clean(query), variables: clean(variables), headers: safeHeaders(headers), before: clean(before), after: clean(after),
        isImported, name, collection,
      })),
    };
    remember("tabs", kept);
    remember("tabs", kept, { isOfThisWindow: true });
  }

  #draw() {
    const hadFocus = element("tabs").contains(document.activeElement);
    element("tabs").replaceChildren(...this.#tabs.map((tab, place) => {
      const item = document.createElement("div");
      const button = document.createElement("button");
      const isCurrent = place === this.#current;
      item.className = "tab";
      item.setAttribute("role", "presentation");
      button.type = "button";
      button.textContent = title(tab);
      if (this.#running.has(tab)) {
        const running = document.createElement("span");
        running.className = "unseen";
        running.textContent = ", running";
        button.classList.add("running");
        button.append(running);
      }
      button.setAttribute("role", "tab");
      button.setAttribute("aria-selected", String(isCurrent));
      button.setAttribute("aria-controls", "request");
      button.tabIndex = isCurrent ? 0 : -1;
      button.title = `${title(tab)}: double click renames, dragging moves`;
      button.addEventListener("click", () => { if (place !== this.#current) this.select(place); });
      item.draggable = true;
      item.addEventListener("dragstart", ({ dataTransfer }) => {
        this.#dragged = tab;
        dataTransfer.setData("text/plain", title(tab)); // Firefox drags nothing else
      });
      item.addEventListener("dragover", (event) => { if (this.#dragged !== null) event.preventDefault(); });
      item.addEventListener("drop", (event) => {
        event.preventDefault();
        this.#put(this.#tabs.indexOf(this.#dragged), place);
      });
      item.addEventListener("dragend", () => { this.#dragged = null; });
      item.append(button);
      if (this.#tabs.length > 1) item.append(this.#closing(place, title(tab)));
      return item;
    }));
    const current = element("tabs").querySelector('[aria-selected="true"]');
    // Along the list only: `scrollIntoView` would scroll the page too, away from the result on a phone.
    const { left, right } = current.parentElement.getBoundingClientRect();
    const list = element("tabs").getBoundingClientRect();
    if (left < list.left) element("tabs").scrollLeft -= list.left - left;
    else if (right > list.right) element("tabs").scrollLeft += right - list.right;
    if (hadFocus) current.focus();
  }

  /** For the pointer; by keyboard, Delete closes the tab that has the focus. */
  #closing(place, name) {
    const close = document.createElement("button");
    close.type = "button";
    close.className = "close";
    close.tabIndex = -1;
    close.textContent = "×";
    close.setAttribute("aria-hidden", "true");
    close.title = `Close ${name}`;
    close.addEventListener("click", () => this.close(place));
    return close;
  }

  #pressed(event) {
    const steps = { ArrowLeft: -1, ArrowRight: 1 };
    if (event.key in steps && (event.ctrlKey || event.metaKey)) this.move(steps[event.key]);
    else if (event.key === "F2") this.rename();
    else if (event.key in steps) this.next(steps[event.key]);
    else if (event.key === "Home") this.select(0);
    else if (event.key === "End") this.select(this.#tabs.length - 1);
    else if (event.key === "Delete") this.close();
    else return;
    event.preventDefault();
  }
}

function title({ query, name }) {
  if (typeof name === "string" && name !== "") return name;
  const [first] = operationsOf(parse(query));
  if (first === undefined) return query.trim() === "" ? "New tab" : "Untitled";
  return first.name ?? first.selection?.items[0]?.name ?? first.operation;
}
