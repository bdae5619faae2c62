// Saved requests in collections, stored in this browser. They are exported as a manifest of documents by name, from which a server
// can read its trusted documents, and imported from such a manifest, from Apollo's, or from .graphql files. Their scripts are
// exported too, but imported scripts do not run before the user has allowed them.

import { askForName } from "./ask.js";
import { download } from "./download.js";
import { hasScripts, holdsSecret, recall, remember, requestsIn, whenRemembered } from "./memory.js";

const element = (id) => document.getElementById(id);
const usual = "My requests";
/** Nobody could read a longer one before allowing it. */
const longestScript = 100_000;

export class Saved {
  #entries = this.#recalled();
  #open;
  #say;

  /** `open(entry)` is called when a request is chosen, `say(text)` to report what was done. */
  constructor(open, say) {
    this.#open = open;
    this.#say = say;
    element("saved-export").addEventListener("click", () => this.export());
    element("saved-import").addEventListener("click", () => this.import());
    element("saved-files").addEventListener("change", ({ target }) => this.#read(target));
    whenRemembered("saved", () => {
      this.#entries = this.#recalled();
      this.#draw();
    });
    this.#draw();
  }

  /** Asks for a name and a collection, and saves a request. One of the same name is replaced. Returns the name, or null. */
  async save({ query, variables, before, after, isImported }, suggestion) {
    if (query.trim() === "") return this.#refuse("Write a query first, or choose an example.");
    if (holdsSecret(query)) return this.#refuse("The query contains a password or a token: use a variable instead, which is not saved.");
    if (holdsSecret(before) || holdsSecret(after)) {
      return this.#refuse("A script contains a password or a token: use a value of an environment instead, which is not saved.");
    }
    const collections = [...this.#collections().keys()];
    const entered = await askForName("Save request", suggestion, { collection: collections[0] ?? usual, collections });
    if (entered === null) return null;
    const { name, collection } = entered;
    const clean = holdsSecret(variables) ? "" : variables;
    this.#add({ name, collection: collection || usual, query, variables: clean, before, after, isImported });
    this.#changed();
    this.#say(`Saved as ${name}.`);
    return name;
  }

  /** Downloads all collections as one manifest: documents by the names of their collection and request. */
  export() {
    if (this.#entries.length === 0) return this.#refuse("There are no saved requests yet.");
    const documents = this.#entries.map(({ collection, name, query }) => [`${collection}/${name}`, query]);
    // Apollo's form has place for more than the document. Servers ignore the member `scripts`.
    const manifest = this.#entries.some(hasScripts) ? { operations: this.#entries.map(operationOf) } : Object.fromEntries(documents);
    return download("documents.json", `${JSON.stringify(manifest, null, 2)}\n`, "application/json");
  }

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
    for (const file of files) {
      const text = await file.text();
      const documents = file.name.endsWith(".json") ? documentsIn(text) : [[file.name.replace(/\.\w+$/, ""), text]];
      if (documents === null) return this.#refuse(`${file.name} is not a manifest of documents.`);
      found.push(...documents);
    }
    for (const [id, query, scripts] of found) {
      const parts = id.split("/");
      const { before, after } = { before: "", after: "", ...scripts };
      const isImported = hasScripts({ before, after });
      this.#add({ name: parts.pop(), collection: parts.join("/") || "Imported", query, variables: "", before, after, isImported });
    }
    this.#changed();
    const count = found.length === 1 ? "1 request imported." : `${found.length} requests imported.`;
    const note = found.some(([, , scripts]) => scripts) ? " Their scripts run only after you have read and allowed them." : "";
    return this.#say(count + note);
  }

  #refuse(text) {
    this.#say(text);
    return null;
  }

  #recalled() {
    return requestsIn(recall("saved")).filter(({ name, collection }) => typeof name === "string" && typeof collection === "string");
  }

  #add(entry) {
    const isOther = ({ name, collection }) => name !== entry.name || collection !== entry.collection;
    this.#entries = [...this.#entries.filter(isOther), entry];
  }

  #changed() {
    remember("saved", this.#entries);
    this.#draw();
  }

  #collections() { return Map.groupBy(this.#entries, ({ collection }) => collection); }

  #draw() {
    element("saved-empty").hidden = this.#entries.length > 0;
    element("saved").replaceChildren(...[...this.#collections()].map(([collection, entries]) => {
      const group = document.createElement("details");
      const summary = document.createElement("summary");
      const list = document.createElement("ul");
      group.className = "fold";
      group.open = true;
      summary.textContent = collection;
      list.className = "choices";
      list.append(...entries.map((entry) => this.#item(entry)));
      group.append(summary, list);
      return group;
    }));
  }

  #item(entry) {
    const item = document.createElement("li");
    const [open, remove] = [document.createElement("button"), document.createElement("button")];
    item.className = "with-tool";
    open.type = remove.type = "button";
    open.textContent = entry.name;
    if (hasScripts(entry)) {
      const note = document.createElement("small");
      note.textContent = entry.isImported ? "with imported scripts, not yet allowed" : "with scripts";
      open.append(note);
    }
    open.addEventListener("click", () => this.#open(entry));
    remove.className = "tool";
    remove.textContent = "×";
    remove.ariaLabel = remove.title = `Delete ${entry.name}`;
    remove.addEventListener("click", () => {
      this.#entries = this.#entries.filter((other) => other !== entry);
      this.#changed();
    });
    item.append(open, remove);
    return item;
  }
}

function operationOf({ collection, name, query, before, after }) {
  const id = `${collection}/${name}`;
  const scripts = hasScripts({ before, after }) ? { scripts: { before, after } } : {};
  return { id, name: id, body: query, ...scripts };
}

/**
 * The documents of a manifest, each a name, a text and perhaps scripts: an object of texts, or Apollo's list of operations. Null for
 * anything else.
 */
function documentsIn(text) {
  let root;
  try { root = JSON.parse(text); } catch { return null; }
  const found = Array.isArray(root?.operations)
    ? root.operations.map((operation) => [operation?.name, operation?.body, scriptsOf(operation)]) : Object.entries(root ?? {});
  return found.length > 0 && found.every((one) => one.slice(0, 2).every((part) => typeof part === "string")) ? found : null;
}

/** The scripts of an imported operation; undefined if it has none. */
function scriptsOf(operation) {
  const [before, after] = ["before", "after"].map((kind) => operation?.scripts?.[kind] ?? "");
  const isScript = (one) => typeof one === "string" && one.length <= longestScript;
  return isScript(before) && isScript(after) && hasScripts({ before, after }) ? { before, after } : undefined;
}
