// A query as two people: both responses side by side, with the lines that differ marked.

import { sideBySide } from "./line-diff.js";
import { send } from "./transport.js";

const element = (id) => document.getElementById(id);
const sides = ["left", "right"];
/** Of longer responses the beginning is shown. */
const mostRows = 5000;

export class Comparison {
  #session;
  #request;
  #asked = null;

  /** `request()` returns, perhaps later, { body, headers } of the query in the editor, or { problem }. */
  constructor(session, request) {
    this.#session = session;
    this.#request = request;
    element("compare-open").hidden = session.people.length === 0;
    session.addEventListener("change", () => { element("compare-open").hidden = session.people.length === 0; });
    element("compare-open").addEventListener("click", () => this.open());
    element("compare-close").addEventListener("click", () => element("compare").close());
    element("compare").addEventListener("close", () => {
      this.#asked?.abort();
      element("compare-rows").replaceChildren();
    });
    element("compare-run").addEventListener("click", () => this.#run());
    for (const side of sides) element(`compare-${side}`).addEventListener("change", () => this.#run());
    element("compare-only").addEventListener("change", () => this.#filter());
  }

  open() {
    const { people } = this.#session;
    for (const [place, side] of sides.entries()) {
      const select = element(`compare-${side}`);
      const chosen = select.value;
      select.replaceChildren(...people.map(({ id, name }) => new Option(name, id)), new Option("Nobody (not signed in)", ""));
      const isKnown = people.some(({ id }) => id === chosen) && chosen !== "";
      select.value = isKnown ? chosen : people[place]?.id ?? "";
    }
    element("compare").showModal();
    this.#run();
  }

  async #run() {
    this.#asked?.abort();
    const asked = new AbortController();
    this.#asked = asked;
    this.#say("Running…");
    const { body, headers, problem } = await this.#request();
    if (asked.signal.aborted) return undefined;
    if (problem !== undefined) return this.#say(problem);
    try {
      const people = sides.map((side) => element(`compare-${side}`));
      const answers = await Promise.all(people.map(async ({ value }) => {
        const token = value === "" ? null : await this.#session.tokenOf(value);
        if (value !== "" && token === null) return null;
        return send(body, { token, headers, signal: asked.signal });
      }));
      if (asked.signal.aborted) return undefined;
      const absent = answers.indexOf(null);
      if (absent >= 0) return this.#say(`${nameIn(people[absent])} could not be signed in.`);
      return this.#show(people.map(nameIn), answers);
    } catch {
      return asked.signal.aborted ? undefined : this.#say("The server could not be reached.");
    }
  }

  #say(text) {
    element("compare-state").textContent = text;
    element("compare-rows").replaceChildren();
  }

  #show(names, answers) {
    const texts = answers.map(({ body, text }) => (body === undefined ? text : JSON.stringify(body, null, 2)));
    const rows = sideBySide(...texts.map((text) => text.split("\n")));
    const different = rows.filter(({ left, right }) => left !== right).length;
    const count = different === 1 ? "1 line differs" : `${different} lines differ`;
    const table = document.createElement("table");
    const head = table.createTHead().insertRow();
    for (const [place, name] of names.entries()) {
      const cell = document.createElement("th");
      cell.scope = "col";
      cell.textContent = `${name}: ${answers[place].status}`;
      head.append(cell);
    }
    const content = table.createTBody();
    for (const row of rows.slice(0, mostRows)) {
      const line = content.insertRow();
      const isDifferent = row.left !== row.right;
      if (isDifferent) line.className = "differs";
      for (const [place, side] of sides.entries()) {
        const cell = line.insertCell();
        cell.dataset.name = names[place].split(/[ ,]/)[0];
        if (row[side] === null) continue;
        // Read out too, not only coloured.
        const text = document.createElement(isDifferent ? "mark" : "span");
        text.textContent = row[side];
        cell.append(text);
      }
    }
    this.#say((different === 0 ? `${names.join(" and ")} get the same.` : `${count} of ${rows.length}.`)
      + (rows.length > mostRows ? ` The first ${mostRows} are shown.` : ""));
    element("compare-rows").replaceChildren(table);
    this.#filter();
  }

  #filter() { element("compare-rows").classList.toggle("only", element("compare-only").checked); }
}

const nameIn = (select) => select.selectedOptions[0]?.text ?? "";
