// The schema definition in a dialog: highlighted, searchable, and as a file.

import { searchKeymap } from "../codemirror.js";
import { download } from "../download.js";
import { Editor } from "../editor.js";
import { graphqlColours } from "../language/highlighting.js";

const openSearch = searchKeymap.find(({ key }) => key === "Mod-f").run;
const element = (id) => document.getElementById(id);

export class SchemaSource {
  schema = null;
  #editor = null;
  /** By type, the line of its definition, counted from 1. Built-in types have none. */
  #lines = new Map();

  constructor() {
    element("source-close").addEventListener("click", () => element("source").close());
    element("source-find").addEventListener("click", () => openSearch(this.#editor.view));
    element("source-types").addEventListener("change", ({ target }) => this.#show(target.value));
    // A link could not send the token that a server may require for its schema.
    for (const link of document.querySelectorAll("a[download]")) {
      link.addEventListener("click", (event) => {
        if (this.schema === null) return;
        event.preventDefault();
        download("schema.graphql", this.schema.source, "text/plain");
      });
    }
  }

  /** Shows the schema, at the definition of a type if one is given. */
  open(typeName) {
    if (this.schema === null) return;
    this.#editor ??= new Editor(element("source-text"), { label: "Schema definition", language: graphqlColours, isReadOnly: true });
    this.#editor.fill(this.schema.source);
    this.#lines = linesOfTypes(this.schema.source);
    const names = [...this.#lines.keys()].sort();
    element("source-types").replaceChildren(new Option("Go to a type…", ""), ...names.map((name) => new Option(name)));
    element("source").showModal();
    if (typeName) this.#show(typeName);
    else this.#editor.show(1, 1);
  }

  #show(typeName) {
    const line = this.#lines.get(typeName);
    if (line !== undefined) this.#editor.show(line, 1);
    element("source-types").value = line === undefined ? "" : typeName;
  }
}

function linesOfTypes(source) {
  const found = source.split("\n").map((text, number) => [/^(?:type|interface|union|enum|input|scalar) (\w+)/.exec(text)?.[1], number + 1]);
  return new Map(found.filter(([name]) => name !== undefined));
}
