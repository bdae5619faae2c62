// What a server says of a request: its cost, its time by level and statement, and the events that it stored.

import { causes, eventAt } from "./causes.js";

const element = (id) => document.getElementById(id);

/** Takes the trace out of a response, so that the result is shown as without it. Returns { trace, size } with the bytes it took. */
export function takeTrace(body, text) {
  const trace = body?.extensions?.trace;
  if (trace === undefined) return { trace: null, size: 0 };
  delete body.extensions.trace;
  if (Object.keys(body.extensions).length === 0) delete body.extensions;
  return { trace, size: new TextEncoder().encode(text.slice(text.lastIndexOf(',"extensions":{"trace":'), -1)).byteLength };
}

/** The cost of a validated request as a line of text. */
export function costLine({ fields, objects, maximum }) {
  const whole = (count) => count.toLocaleString("en");
  const share = Math.max(fields / maximum.fields, objects / maximum.objects) * 100;
  return `Cost at most ${counted(fields, "field")} and ${counted(objects, "object")}: ${share < 1 ? "less than 1" : Math.round(share)} % of the ${whole(maximum.fields)} allowed`;
}

/** The panels of the times and of the events of an answer. */
export class TracePanels {
  #trace = null;
  #startedAt = 0;

  constructor() {
    const toggle = element("trace-toggle");
    toggle.addEventListener("click", () => {
      toggle.ariaExpanded = String(toggle.ariaExpanded !== "true");
      this.#draw();
    });
    causes.addEventListener("change", () => this.#drawEvents());
  }

  /** Shows the trace of a request that was sent at a time, or none. */
  show(trace, startedAt) {
    if (trace === this.#trace) return;
    this.#trace = trace;
    this.#startedAt = startedAt;
    element("trace-toggle").disabled = trace === null;
    this.#draw();
    this.#drawEvents();
  }

  #draw() {
    const trace = this.#trace;
    element("trace").hidden = trace === null || element("trace-toggle").ariaExpanded !== "true";
    if (element("trace").hidden) return;
    const { milliseconds, cost, levels, statements } = trace;
    element("trace-total").textContent = `The server took ${time(milliseconds)}`
      + (cost ? `, for a cost of ${counted(cost.fields, "field")} and ${counted(cost.objects, "object")}.` : ".");
    element("trace-levels").replaceChildren(...levels.map((level) => line(
      level.milliseconds, milliseconds, level.fields.join(", "), counted(level.objects, "object"),
    )));
    element("trace-statements").replaceChildren(...statements.map((one) => line(
      one.milliseconds, milliseconds, one.statement, `${one.count} ×`,
    )));
    element("trace-none").hidden = statements.length > 0;
  }

  /** The events that a mutation stored, beside its response. */
  #drawEvents() {
    const positions = this.#trace?.events ?? [];
    element("caused").hidden = positions.length === 0;
    if (positions.length === 0) return;
    const found = positions.map(eventAt);
    const seen = found.filter((event) => event !== undefined).length;
    element("caused-title").textContent = `${counted(positions.length, "event")} of this mutation`
      + (seen === positions.length ? "" : seen === 0 ? ", which no subscription of this page has received" : `, ${seen} received in this page`);
    const open = [...element("caused-list").children].map((item) => item.querySelector("details")?.open);
    element("caused-list").replaceChildren(...found.filter((event) => event !== undefined).map((event, place) => {
      const [item, details, summary, content] = ["li", "details", "summary", "pre"].map((name) => document.createElement(name));
      const [value] = Object.values(event.payload.data ?? {});
      summary.textContent = `${value?.__typename ?? event.name}, in ${event.name}, ${time(Math.max(0, event.at - this.#startedAt))} after the request`;
      content.textContent = JSON.stringify(event.payload.data ?? event.payload, null, 2);
      content.tabIndex = 0;
      details.open = open[place] ?? true;
      details.append(summary, content);
      item.append(details);
      return item;
    }));
  }
}

/** A line of the times: a bar for its share, the text, and a count. */
function line(milliseconds, total, text, count) {
  const item = document.createElement("li");
  const [bar, name, counts] = ["meter", "code", "span"].map((kind) => document.createElement(kind));
  bar.max = Math.max(total, 0.001);
  bar.value = milliseconds;
  bar.ariaLabel = "Share of the time";
  name.textContent = text;
  counts.textContent = `${time(milliseconds)} · ${count}`;
  item.append(counts, bar, name);
  return item;
}

const counted = (count, name) => `${count.toLocaleString("en")} ${count === 1 ? name : `${name}s`}`;
const time = (milliseconds) => `${milliseconds < 10 ? milliseconds.toFixed(2) : Math.round(milliseconds)} ms`;
