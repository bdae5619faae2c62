// Shows a response: status, time and size; the errors, with links to their locations in the query; the JSON, to fold and copy.

import { foldKeymap } from "./codemirror.js";
import { Editor } from "./editor.js";
import { jsonColours } from "./language/highlighting.js";
import { links, showPictures } from "./links.js";
import { ResultTable } from "./table.js";
import { TracePanels } from "./trace.js";

const foldCode = foldKeymap.find(({ key }) => key === "Ctrl-Shift-[").run;
const element = (id) => document.getElementById(id);

export class Result {
  #goTo;
  #turnTo;
  #answer = null;
  #pages = null;
  #trace = new TracePanels();
  #errors = [];
  #headers = null;
  #lines = null;
  #table = new ResultTable();
  #editor = new Editor(element("result"), {
    label: "Result", language: jsonColours, isReadOnly: true, hint: "The response to your query appears here.", more: links,
  });

  /** `goTo(line, column)` is called when the location of an error is chosen, `turnTo(page)` for the next page of a list. */
  constructor(goTo, turnTo) {
    this.#goTo = goTo;
    this.#turnTo = turnTo;
    const toggle = element("headers-toggle");
    toggle.addEventListener("click", () => {
      const isOpen = toggle.ariaExpanded !== "true";
      toggle.ariaExpanded = String(isOpen);
      element("response-headers").hidden = !isOpen;
    });
  }

  get text() { return this.#editor.text; }

  /** Shows a response and its changes instead of the previous one. */
  show(answer) {
    if (answer === this.#answer) return;
    this.#answer?.removeEventListener("change", this.#draw);
    this.#answer = answer;
    answer.addEventListener("change", this.#draw);
    this.#draw();
  }

  #draw = () => {
    const { status, text, errors, events, headers, lines, pages, trace, startedAt, isRunning, isResumable, isContinued } = this.#answer;
    // Set only if it changes, because screen readers announce it.
    if (element("status").textContent !== status.text) element("status").textContent = status.text;
    element("status").className = status.tone;
    element("run").textContent = isRunning ? "■ Stop" : "▶ Run";
    element("resume").hidden = !isResumable;
    element("events-panel").hidden = events === null;
    if (events !== null && element("events") !== events.list) element("events").replaceWith(events.list);
    element("copy-result").disabled = text === "";
    element("download-result").disabled = text === "";
    if (lines !== this.#lines) this.#showLines(lines);
    if (headers !== this.#headers) this.#showHeaders(headers);
    if (pages !== this.#pages) this.#showPages(pages);
    this.#trace.show(trace, startedAt);
    if (text !== this.text) {
      showPictures(element("pictures"), text);
      this.#editor.fill(text);
      this.#table.text = text;
      if (!isContinued) this.#editor.view.scrollDOM.scrollTop = 0;
      // They are listed above the JSON, which has them too: folded, they are not shown twice.
      if (errors.length > 0) this.#fold("errors");
    }
    if (errors !== this.#errors) {
      this.#errors = errors;
      element("errors").replaceChildren(...errors.map((error) => this.#item(error)));
      element("errors").hidden = errors.length === 0;
    }
  };

  #showLines(lines) {
    this.#lines = lines;
    element("script-log").hidden = lines.length === 0;
    element("script-lines").replaceChildren(...lines.map(({ kind, text, isProblem = false }) => {
      const item = document.createElement("li");
      const origin = document.createElement("small");
      origin.textContent = `${kind} `;
      item.classList.toggle("error", isProblem);
      item.append(origin, text);
      return item;
    }));
  }

  #showHeaders(headers) {
    this.#headers = headers;
    element("headers-toggle").disabled = headers.length === 0;
    element("response-headers").replaceChildren(...headers.map(([name, value]) => {
      const line = document.createElement("div");
      const [term, content] = [document.createElement("dt"), document.createElement("dd")];
      term.textContent = name;
      content.textContent = value;
      line.append(term, content);
      return line;
    }));
  }

  #showPages(pages) {
    const hadFocus = element("next-pages").contains(document.activeElement);
    this.#pages = pages;
    element("next-pages").hidden = pages.length === 0;
    element("next-pages").replaceChildren(...pages.map((page) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = `Next page of ${page.path.join(".")}`;
      button.addEventListener("click", () => this.#turnTo(page));
      item.append(button);
      return item;
    }));
    // At the last page the button is gone.
    if (hadFocus) (element("next-pages").querySelector("button") ?? element("run")).focus();
  }

  /** Folds a top-level member of the JSON. */
  #fold(name) {
    const { view } = this.#editor;
    const at = view.state.doc.toString().search(new RegExp(`^  "${name}": \\[$`, "m"));
    if (at < 0) return;
    view.dispatch({ selection: { anchor: at } });
    foldCode(view);
    view.dispatch({ selection: { anchor: 0 } });
  }

  #item({ message, locations = [], path, extensions }) {
    const item = document.createElement("li");
    const place = document.createElement("div");
    place.className = "place";
    for (const { line, column } of locations ?? []) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "link";
      button.textContent = `Line ${line}, column ${column}`;
      button.addEventListener("click", () => this.#goTo(line, column));
      place.append(button);
    }
    for (const text of [extensions?.code, path?.join(".")]) {
      if (!text) continue;
      const code = document.createElement("code");
      code.textContent = text;
      place.append(code);
    }
    item.append(String(message), place);
    return item;
  }
}
