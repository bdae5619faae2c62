// Shows how the schema has changed since it was last seen in this browser.

import { recall, remember } from "../memory.js";
import { differences } from "./diff.js";
import { Schema } from "./schema.js";

const element = (id) => document.getElementById(id);
const most = 200;

export class SchemaChanges {
  #seen = () => {};
  #open;

  /** `open(typeName, memberName)` shows the documentation of what has changed. */
  constructor(open) {
    this.#open = open;
    element("schema-changes-seen").addEventListener("click", () => this.#seen());
  }

  /** Compares with the stored schema. One that only signed-in people can load is stored for this window only. */
  compare(schema, { isOfThisWindow }) {
    const keep = () => {
      remember("schema", schema.source, { isOfThisWindow });
      element("schema-changes").hidden = true;
    };
    const former = recall("schema", { isOfThisWindow: true }) ?? recall("schema");
    if (former === schema.source) return;
    const changes = typeof former === "string" ? differences(new Schema(former), schema) : [];
    if (changes.length === 0) return keep();
    this.#seen = keep;
    const breaking = changes.filter(({ isBreaking }) => isBreaking).length;
    const count = `${changes.length} ${changes.length === 1 ? "change" : "changes"} of the schema`;
    element("schema-changes-title").textContent = breaking > 0 ? `${count}, ${breaking} breaking` : count;
    element("schema-changes-list").replaceChildren(...changes.slice(0, most).map((change) => this.#item(change, schema)));
    element("schema-changes").hidden = false;
  }

  #item({ what, how, isBreaking }, schema) {
    const item = document.createElement("li");
    const [typeName, memberName] = what.split(".");
    const isThere = schema.types.has(typeName) && (memberName === undefined || schema.types.get(typeName).fields.has(memberName));
    const name = document.createElement(isThere ? "button" : "code");
    if (isThere) {
      name.type = "button";
      name.className = "link t-type";
      name.addEventListener("click", () => this.#open(typeName, memberName));
    }
    name.textContent = what;
    item.append(name, ` ${how}`);
    if (isBreaking) {
      const mark = document.createElement("strong");
      mark.className = "error";
      mark.textContent = " breaking";
      item.append(mark);
    }
    return item;
  }
}
