// Saved requests in collections, stored in this browser.

import { askForName } from "./ask.js";
import { download } from "./download.js";
import { hasScripts, holdsSecret, recall, remember, requestsIn, safeHeaders, whenRemembered } from "./memory.js";
import { documentsIn, manifestOf, valuesIn } from "./manifest.js";

const element = (id) => document.getElementById(id);
const usual = "My requests";
const keyOf = ({ collection, name }) => `${collection}/${name}`;

export class Saved {
  #entries = this.#recalled();
  #open;
  #say;
  #moved;
  #values;
  /** The key of the request whose actions are shown, or of a collection. */
  #expanded = null;
  /** The request that is being dragged, or null. */
  #dragged = null;

  /**
   * `values` has those of the collections. `open(entry)` is called when a request is chosen, `say(text)` to report what was done, and
   * `moved(former, entry)` when a request has another name or collection.
   */
  constructor(values, { open, say, moved }) {
    this.#values = values;
    this.#open = open;
    this.#say = say;
    this.#moved = moved;
    element("saved-export").addEventListener("click", () => this.export());
    element("saved-import").addEventListener("click", () => this.import());
    element("saved-files").addEventListener("change", ({ target }) => this.#read(target));
    whenRemembered("saved", () => {
      this.#entries = this.#recalled();
      this.#draw();
    });
    this.#draw();
  }

  /**
   * Asks for a name and a collection, and saves a request. One of the same name is replaced. Returns both, or null. `suggestion` is
   * the name.
   */
  async save({ query, variables, headers, before, after, isImported, collection: own }, suggestion) {
    if (query.trim() === "") return this.#refuse("Write a query first, or choose an example.");
    if (holdsSecret(query)) return this.#refuse("The query contains a password or a token: use a variable instead, which is not saved.");
    if (holdsSecret(before) || holdsSecret(after)) {
      return this.#refuse("A script contains a password or a token: use a value of an environment instead, which is not saved.");
    }
    const collections = [...this.#collections().keys()];
    const usualOne = collections.includes(own) ? own : collections[0] ?? usual;
    const entered = await askForName("Save request", suggestion, { collection: usualOne, collections });
    if (entered === null) return null;
    const { name, collection } = { ...entered, collection: entered.collection || usual };
    const safe = { variables: holdsSecret(variables) ? "" : variables, headers: safeHeaders(headers) };
    this.#add({ name, collection, query, ...safe, before, after, isImported });
    this.#changed();
    const left = [["variables", variables], ["headers", headers]].filter(([part, text]) => safe[part] !== text).map(([part]) => part);
    this.#say(`Saved as ${name}.${left.length === 0 ? "" : ` Passwords and tokens in its ${left.join(" and ")} are not saved.`}`);
    return { name, collection };
  }

  /** Downloads all collections as one manifest. */
  export() {
    if (this.#entries.length === 0) return this.#refuse("There are no saved requests yet.");
    return download("documents.json", `${JSON.stringify(manifestOf(this.#entries, this.#values.all), null, 2)}\n`, "application/json");
  }

  /** Whether there is a request in a collection of this name. */
  has(collection) { return this.#collections().has(collection); }

  /** Stores that the user has allowed these scripts, wherever they are saved. */
  allow({ before, after }) {
    const isSame = (entry) => entry.isImported && entry.before === before && entry.after === after;
    if (!this.#entries.some(isSame)) return;
    this.#entries = this.#entries.map((entry) => (isSame(entry) ? { ...entry, isImported: false } : entry));
    this.#changed();
  }

  import() { element("saved-files").click(); }

  async #read(input) {
    const files = [...input.files];
    input.value = "";
    const found = [];
    const values = {};
    for (const file of files) {
      const text = await file.text();
      if (file.name.endsWith(".json")) Object.assign(values, valuesIn(text));
      const documents = file.name.endsWith(".json") ? documentsIn(text) : [{ id: file.name.replace(/\.\w+$/, ""), query: text }];
      if (documents === null) return this.#refuse(`${file.name} is not a manifest of documents.`);
      found.push(...documents);
    }
    const unsafe = found.find(({ query, before = "", after = "" }) => [query, before, after].some(holdsSecret));
    if (unsafe !== undefined) return this.#refuse(`${unsafe.id} contains a password or a token: use a variable instead, which is not saved.`);
    for (const { id, query, variables = "", headers = "", before = "", after = "" } of found) {
      const parts = id.split("/");
      const safe = { variables: holdsSecret(variables) ? "" : variables, headers: safeHeaders(headers) };
      const isImported = hasScripts({ before, after });
      this.#add({ name: parts.pop(), collection: parts.join("/") || "Imported", query, ...safe, before, after, isImported });
    }
    this.#values.add(values);
    this.#changed();
    const count = found.length === 1 ? "1 request imported." : `${found.length} requests imported.`;
    const note = found.some(hasScripts) ? " Their scripts run only after you have read and allowed them." : "";
    return this.#say(count + note);
  }

  #refuse(text) {
    this.#say(text);
    return null;
  }

  #recalled() {
    return requestsIn(recall("saved")).filter(({ name, collection }) => typeof name === "string" && typeof collection === "string");
  }

  /** The entry of a key, if there is one. */
  #entry(key) { return this.#entries.find((entry) => keyOf(entry) === key); }

  /** An entry as it is now: another window can save during a drag or a dialog. Null, with a message, if it is gone. */
  #current(entry) { return this.#entry(keyOf(entry)) ?? this.#refuse("The request has been changed in another window."); }

  #add(entry) {
    const former = this.#entry(keyOf(entry));
    if (former === undefined) this.#entries.push(entry);
    else this.#entries[this.#entries.indexOf(former)] = entry;
  }

  #changed(renamed) {
    // A collection is where its first request is.
    this.#entries = [...this.#collections().values()].flat();
    remember("saved", this.#entries);
    this.#values.follow([...this.#collections().keys()], renamed);
    this.#draw();
  }

  #collections() { return Map.groupBy(this.#entries, ({ collection }) => collection); }

  // MARK: Changing

  /** Asks for another name and collection of a request. */
  async #edit(shown) {
    const collections = [...this.#collections().keys()];
    const entered = await askForName("Rename or move request", shown.name, { collection: shown.collection, collections });
    const entry = entered && this.#current(shown);
    if (entry === null) return;
    const changed = { ...entry, name: entered.name, collection: entered.collection || usual };
    const other = this.#entry(keyOf(changed));
    if (other !== undefined && other !== entry) this.#refuse(`${changed.collection} has a request named ${changed.name} already.`);
    else this.#replace(entry, changed);
  }

  #replace(entry, changed) {
    if (this.#expanded === keyOf(entry)) this.#expanded = keyOf(changed);
    this.#entries[this.#entries.indexOf(entry)] = changed;
    this.#moved(entry, changed);
    this.#changed();
    this.#focus("open", changed);
  }

  #duplicate(entry) {
    let name = `${entry.name} copy`;
    for (let number = 2; this.#entry(keyOf({ ...entry, name })) !== undefined; number += 1) name = `${entry.name} copy ${number}`;
    const copy = { ...entry, name };
    this.#entries.splice(this.#entries.indexOf(entry) + 1, 0, copy);
    this.#changed();
    this.#focus("open", copy);
    this.#say(`Duplicated as ${name}.`);
  }

  /** Moves a request up (-1) or down (1) in its collection. */
  #move(entry, step) {
    const own = this.#collections().get(entry.collection);
    const neighbour = own[own.indexOf(entry) + step];
    if (neighbour === undefined) return;
    const [from, to] = [entry, neighbour].map((one) => this.#entries.indexOf(one));
    [this.#entries[from], this.#entries[to]] = [neighbour, entry];
    this.#changed();
    this.#say(`${entry.name} is ${own.indexOf(neighbour) + 1} of ${own.length} in ${entry.collection}.`);
  }

  /** Puts a request before another one, or at the end of a collection. */
  #put(dragged, { collection, before }) {
    const entry = this.#current(dragged);
    if (entry === null || entry === before) return undefined;
    const changed = { ...entry, collection };
    const other = this.#entry(keyOf(changed));
    if (other !== undefined && other !== entry) return this.#refuse(`${collection} has a request named ${entry.name} already.`);
    this.#entries.splice(this.#entries.indexOf(entry), 1);
    this.#entries.splice(before ? this.#entries.indexOf(before) : this.#entries.length, 0, changed);
    this.#moved(entry, changed);
    return this.#changed();
  }

  async #renameCollection(collection) {
    const entered = await askForName("Rename collection", collection);
    if (entered === null || entered.name === collection) return;
    if (this.#collections().has(entered.name)) return void this.#refuse(`There is a collection named ${entered.name} already.`);
    const entries = this.#collections().get(collection);
    if (entries === undefined) return void this.#refuse("The collection has been changed in another window.");
    for (const entry of entries) {
      const changed = { ...entry, collection: entered.name };
      this.#entries[this.#entries.indexOf(entry)] = changed;
      this.#moved(entry, changed);
    }
    this.#expanded = `${entered.name}/`;
    this.#changed({ from: collection, to: entered.name });
    this.#focus("more", { collection: entered.name, name: "" });
  }

  #moveCollection(collection, step) {
    const names = [...this.#collections().keys()];
    const place = names.indexOf(collection);
    if (names[place + step] === undefined) return;
    names.splice(place + step, 0, ...names.splice(place, 1));
    this.#entries = names.flatMap((name) => this.#collections().get(name));
    this.#changed();
    this.#say(`${collection} is collection ${place + step + 1} of ${names.length}.`);
  }

  // MARK: Drawing

  #draw() {
    const key = element("saved").contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
    element("saved-empty").hidden = this.#entries.length > 0;
    element("saved").replaceChildren(...[...this.#collections()].map(([name, entries]) => this.#collection(name, entries)));
    if (key !== undefined) this.#focusKey(key);
  }

  #focus(kind, entry) { this.#focusKey(`${kind} ${keyOf(entry)}`); }
  #focusKey(key) { [...element("saved").querySelectorAll("[data-key]")].find((one) => one.dataset.key === key)?.focus(); }

  #collection(collection, entries) {
    const holder = document.createElement("section");
    const group = document.createElement("details");
    const summary = document.createElement("summary");
    const list = document.createElement("ul");
    holder.className = "collection";
    group.className = "fold";
    group.open = true;
    summary.textContent = collection;
    list.className = "choices";
    list.append(...entries.map((entry) => this.#item(entry)));
    const { more, actions } = this.#actions({ collection, name: "" }, `the collection ${collection}`, [
      ["Rename", "Rename the collection", () => this.#renameCollection(collection)],
      ["Values", "Values of the collection", () => this.#values.open(collection)],
      ["Up", "Move the collection up", () => this.#moveCollection(collection, -1)],
      ["Down", "Move the collection down", () => this.#moveCollection(collection, 1)],
    ]);
    group.append(summary, actions, list);
    holder.append(group, more);
    this.#dropping(summary, { collection });
    return holder;
  }

  #item(entry) {
    const item = document.createElement("li");
    const [open, remove] = [document.createElement("button"), document.createElement("button")];
    const line = document.createElement("div");
    line.className = "with-tool";
    open.type = remove.type = "button";
    open.textContent = entry.name;
    open.dataset.key = `open ${keyOf(entry)}`;
    if (hasScripts(entry)) {
      const note = document.createElement("small");
      note.textContent = entry.isImported ? "with imported scripts, not yet allowed" : "with scripts";
      open.append(note);
    }
    open.title = "F2 renames or moves, Ctrl ↑ and ↓ move";
    open.addEventListener("click", () => this.#open(entry));
    open.addEventListener("keydown", (event) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (step !== undefined && (event.ctrlKey || event.metaKey)) this.#move(entry, step);
      else if (event.key === "F2") this.#edit(entry);
      else return;
      event.preventDefault();
    });
    remove.className = "tool";
    remove.textContent = "×";
    remove.ariaLabel = remove.title = `Delete ${entry.name}`;
    remove.addEventListener("click", () => {
      this.#entries = this.#entries.filter((other) => other !== entry);
      this.#changed();
    });
    const { more, actions } = this.#actions(entry, entry.name, [
      ["Rename or move", `Rename or move ${entry.name}`, () => this.#edit(entry)],
      ["Duplicate", `Duplicate ${entry.name}`, () => this.#duplicate(entry)],
      ["Up", `Move ${entry.name} up`, () => this.#move(entry, -1)],
      ["Down", `Move ${entry.name} down`, () => this.#move(entry, 1)],
    ]);
    line.append(open, more, remove);
    item.append(line, actions);
    item.draggable = true;
    item.addEventListener("dragstart", ({ dataTransfer }) => {
      this.#dragged = entry;
      dataTransfer.setData("text/plain", entry.name); // Firefox drags nothing else
    });
    item.addEventListener("dragend", () => { this.#dragged = null; });
    this.#dropping(item, { collection: entry.collection, before: entry });
    return item;
  }

  /** Lets requests be dropped on an element. */
  #dropping(target, place) {
    target.addEventListener("dragover", (event) => { if (this.#dragged !== null) event.preventDefault(); });
    target.addEventListener("drop", (event) => {
      event.preventDefault();
      if (this.#dragged !== null) this.#put(this.#dragged, place);
    });
  }

  /** A button that shows the further actions of an entry, and their group. */
  #actions(entry, name, all) {
    const [more, actions] = [document.createElement("button"), document.createElement("div")];
    const key = keyOf(entry);
    const isShown = this.#expanded === key;
    more.type = "button";
    more.className = "tool";
    more.textContent = "⋯";
    more.ariaLabel = more.title = `More for ${name}`;
    more.ariaExpanded = String(isShown);
    more.dataset.key = `more ${key}`;
    more.addEventListener("click", () => {
      this.#expanded = isShown ? null : key;
      this.#draw();
    });
    actions.className = "row actions";
    actions.setAttribute("role", "group");
    actions.ariaLabel = `Actions for ${name}`;
    actions.hidden = !isShown;
    actions.append(...all.map(([title, label, act]) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "link";
      button.textContent = title;
      button.ariaLabel = label;
      button.dataset.key = `${title} ${key}`;
      button.addEventListener("click", act);
      return button;
    }));
    return { more, actions };
  }
}
