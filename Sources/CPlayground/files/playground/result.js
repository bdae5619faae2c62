// Shows a response: status, time and size; the errors, with links to their locations in the query; the JSON, to fold and copy.

import { Editor } from "./editor.js";
import { jsonColours } from "./language/highlighting.js";

const element = (id) => document.getElementById(id);

export class Result {
  #goTo;
  #answer = null;
  #errors = [];
  #editor = new Editor(element("result"), {
    label: "Result", language: jsonColours, isReadOnly: true, hint: "The response to your query appears here.",
  });

  /** `goTo(line, column)` is called when the location of an error is chosen. */
  constructor(goTo) { this.#goTo = goTo; }

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
    const { status, text, errors, events, isRunning, isResumable } = this.#answer;
    // Set only if it changes, because screen readers announce it.
    if (element("status").textContent !== status.text) element("status").textContent = status.text;
    element("status").className = status.tone;
    element("run").textContent = isRunning ? "■ Stop" : "▶ Run";
    element("resume").hidden = !isResumable;
    element("events-panel").hidden = events === null;
    if (events !== null && element("events") !== events.list) element("events").replaceWith(events.list);
    element("copy-result").disabled = text === "";
    if (text !== this.text) {
      this.#editor.fill(text);
      this.#editor.view.scrollDOM.scrollTop = 0;
    }
    if (errors !== this.#errors) {
      this.#errors = errors;
      element("errors").replaceChildren(...errors.map((error) => this.#item(error)));
      element("errors").hidden = errors.length === 0;
    }
  };

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
