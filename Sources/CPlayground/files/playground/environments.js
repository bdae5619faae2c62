// Environments: named sets of values that variables and headers contain as {{name}}. Those with a password or a token are not stored.

import { askForName } from "./ask.js";
import { readObject } from "./json-object.js";
import { holdsSecret, recall, remember, whenRemembered } from "./memory.js";

const element = (id) => document.getElementById(id);

export class Environments {
  #list = [];
  #current = -1;
  #collections;
  #show;
  #changed;

  /**
   * `collections` has the values of collections. `show(text)` shows the values of an environment in the editor; `changed()` is called
   * when the values may be others.
   */
  constructor(collections, show, changed) {
    this.#collections = collections;
    this.#show = show;
    this.#changed = changed;
    this.#adopt();
    this.#current = Math.min(Math.max(-1, Number(recall("environments")?.current ?? -1) || 0), this.#list.length - 1);
    element("environment").addEventListener("change", ({ target }) => this.#turnTo(Number(target.value)));
    element("environment-add").addEventListener("click", () => this.add());
    element("environment-rename").addEventListener("click", () => this.rename());
    element("environment-remove").addEventListener("click", () => this.remove());
    whenRemembered("environments", () => {
      const { [this.#current]: chosen } = this.#list;
      const text = chosen?.text;
      this.#adopt();
      this.#current = this.#list.indexOf(chosen);
      this.#draw({ isShown: this.#current >= 0 && chosen.text === text });
      this.#changed();
    });
    this.#draw();
  }

  /** Adopts the stored list. Its objects stay the same, which scripts have, and so do the secrets, which are not stored. */
  #adopt() {
    const own = [...this.#list];
    const kept = recall("environments")?.list;
    const isOne = (one) => typeof one?.name === "string" && typeof one.text === "string";
    this.#list = (Array.isArray(kept) ? kept : []).filter(isOne).map(({ name, text }) => {
      const place = own.findIndex((one) => one.name === name);
      const [entry] = place < 0 ? [{ name, text }] : own.splice(place, 1);
      if (text !== "" || !holdsSecret(entry.text)) entry.text = text;
      return entry;
    });
  }

  /** For the request of a tab: the values of its collection, and those of the chosen environment, which come first. */
  valuesOf({ collection }) {
    return { ...this.#collections.of(collection), ...readObject(this.#list[this.#current]?.text ?? "", "Values").value };
  }

  /** Shows which values a request has from its collection; undefined if it is in none. */
  showInherited(collection) {
    const names = Object.keys(this.#collections.of(collection));
    element("environment-inherited").hidden = collection === undefined;
    element("environment-collection").textContent = collection ?? "";
    element("environment-inherited-names").textContent = names.length === 0 ? "no values" : names.join(", ");
  }

  /** Stores the text of the editor. */
  note(text) {
    const current = this.#list[this.#current];
    if (current === undefined || current.text === text) return;
    current.text = text;
    element("environment-error").textContent = readObject(text, "Values").problem ?? "";
    this.#keep();
    this.#changed();
  }

  /**
   * For a script of a tab: the values of its request, or the problem with those of the environment, and `write(values)`, which stores
   * in the environment what the script leaves and the collection does not have. Without an environment, a new one has it.
   */
  open({ collection }) {
    const entry = this.#list[this.#current];
    const inherited = this.#collections.of(collection);
    const { value: own = {}, problem } = readObject(entry?.text ?? "", "Values");
    const isInherited = ([key, value]) => !Object.hasOwn(own, key) && JSON.stringify(inherited[key]) === JSON.stringify(value);
    const write = (values) => this.#write(entry, own, Object.fromEntries(Object.entries(values).filter((one) => !isInherited(one))));
    return { values: { ...inherited, ...own }, problem, write };
  }

  #write(entry, values, changed) {
    if (JSON.stringify(values) === JSON.stringify(changed)) return;
    const text = JSON.stringify(changed, null, 2);
    if (entry === undefined) {
      this.#list.push({ name: "Scripts", text });
      this.#turnTo(this.#list.length - 1);
    } else if (this.#list.includes(entry)) { // it could have been removed meanwhile
      entry.text = text;
      this.#turnTo(this.#current);
    }
  }

  async add() {
    const entered = await askForName("New environment", `Environment ${this.#list.length + 1}`);
    if (entered === null) return;
    this.#list.push({ name: entered.name, text: "{\n  \n}" });
    this.#turnTo(this.#list.length - 1);
  }

  async rename() {
    const current = this.#list[this.#current];
    const entered = await askForName("Rename environment", current.name);
    if (entered === null) return;
    current.name = entered.name;
    this.#keep();
    this.#draw();
  }

  remove() {
    this.#list.splice(this.#current, 1);
    this.#turnTo(-1);
  }

  #turnTo(place) {
    this.#current = place;
    this.#keep();
    this.#draw();
    this.#changed();
  }

  /** `isShown` leaves the editor as it is, with its caret. */
  #draw({ isShown = false } = {}) {
    const { [this.#current]: current } = this.#list;
    element("environment").replaceChildren(new Option("None", -1), ...this.#list.map(({ name }, place) => new Option(name, place)));
    element("environment").value = this.#current;
    for (const id of ["environment-rename", "environment-remove"]) element(id).disabled = current === undefined;
    element("environment-values").hidden = current === undefined;
    element("environment-none").hidden = current !== undefined;
    element("environment-error").textContent = current ? readObject(current.text, "Values").problem ?? "" : "";
    if (!isShown) this.#show(current?.text ?? "");
  }

  #keep() {
    const list = this.#list.map(({ name, text }) => ({ name, text: holdsSecret(text) ? "" : text }));
    remember("environments", { current: this.#current, list });
  }
}
