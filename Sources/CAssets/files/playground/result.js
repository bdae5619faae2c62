// The answer: status, time and size; the errors, each with a way to its place in the query; the JSON, to fold and copy.

import { Editor } from "./editor.js";
import { jsonColours } from "./language/highlighting.js";

const element = (id) => document.getElementById(id);

export class Result {
  #goTo;
  #editor = new Editor(element("result"), {
    label: "Result", language: jsonColours, isReadOnly: true, hint: "The answer to your query appears here.",
  });

  /** `goTo(line, column)` is called when the place of an error is chosen. */
  constructor(goTo) { this.#goTo = goTo; }

  get text() { return this.#editor.text; }

  /** Says something in the status line; `tone` is "good", "bad" or "". */
  say(text, tone = "") {
    const status = element("status");
    status.textContent = text;
    status.className = tone;
  }

  clear() { this.#fill("", []); }

  /** Shows an answer as `send` gives it. */
  show({ status, elapsed, size, text, body }) {
    const errors = Array.isArray(body?.errors) ? body.errors : [];
    const parts = [`${status}`, duration(elapsed), bytes(size)];
    if (errors.length > 0) parts.splice(1, 0, errors.length === 1 ? "1 error" : `${errors.length} errors`);
    this.say(parts.join(" · "), status < 400 && errors.length === 0 ? "good" : "bad");
    this.#fill(body === undefined ? text : JSON.stringify(body, null, 2), errors);
  }

  /** Shows what came with an event. */
  showPayload(payload) { this.#fill(JSON.stringify(payload, null, 2), payload?.errors ?? []); }

  #fill(text, errors) {
    this.#editor.fill(text);
    this.#editor.view.scrollDOM.scrollTop = 0;
    element("errors").replaceChildren(...errors.map((error) => this.#item(error)));
    element("errors").hidden = errors.length === 0;
    element("copy-result").disabled = text === "";
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

function duration(milliseconds) {
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`;
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

function bytes(count) {
  if (count < 1000) return `${count} bytes`;
  return count < 1e6 ? `${(count / 1000).toFixed(1)} kB` : `${(count / 1e6).toFixed(1)} MB`;
}
