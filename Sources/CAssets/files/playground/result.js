// The answer: status, time and size; the errors, each with a way to its place in the query; the JSON.

import { paintJSON } from "./highlight.js";

const element = (id) => document.getElementById(id);
const eventsKept = 100;

export class Result {
  #goTo;

  /** `goTo(line, column)` is called when the place of an error is chosen. */
  constructor(goTo) { this.#goTo = goTo; }

  /** Says something in the status line; `tone` is "good", "bad" or "". */
  say(text, tone = "") {
    const status = element("status");
    status.textContent = text;
    status.className = tone;
  }

  clear() {
    element("result").replaceChildren();
    this.#list([]);
  }

  /** Shows an answer as `send` gives it. */
  show({ status, elapsed, size, text, body }) {
    const errors = Array.isArray(body?.errors) ? body.errors : [];
    const parts = [`${status}`, duration(elapsed), bytes(size)];
    if (errors.length > 0) parts.splice(1, 0, errors.length === 1 ? "1 error" : `${errors.length} errors`);
    this.say(parts.join(" · "), status < 400 && errors.length === 0 ? "good" : "bad");
    this.#list(errors);
    element("result").replaceChildren(body === undefined ? text : paintJSON(JSON.stringify(body, null, 2)));
    element("result").scrollTop = 0;
  }

  /** Puts an event above those before it; only the last hundred are kept. */
  showEvent(text, number) {
    let body;
    try { body = JSON.parse(text); } catch { /* shown as the text it is */ }
    const heading = document.createElement("span");
    heading.className = "t-comment";
    heading.textContent = `# Event ${number}, ${new Date().toLocaleTimeString()}\n`;
    const event = document.createElement("div");
    event.append(heading, body === undefined ? text : paintJSON(JSON.stringify(body, null, 2)), "\n\n");
    element("result").prepend(event);
    while (element("result").childElementCount > eventsKept) element("result").lastElementChild.remove();
    this.#list(Array.isArray(body?.errors) ? body.errors : []);
  }

  #list(errors) {
    element("errors").replaceChildren(...errors.map((error) => this.#item(error)));
    element("errors").hidden = errors.length === 0;
  }

  #item({ message, locations = [], path, extensions }) {
    const item = document.createElement("li");
    const place = document.createElement("div");
    place.className = "place";
    for (const { line, column } of locations ?? []) {
      const button = document.createElement("button");
      button.type = "button";
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
