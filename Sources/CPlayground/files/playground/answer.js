// The result of a tab's request: a response or the events of a subscription, and whether it is running. Each tab has its own, so
// that a subscription can run while another tab sends queries.

import { noteEvent, noteMutation } from "./causes.js";
import { EventLog } from "./event-log.js";
import { nextPages, requestOfNextPage } from "./next-page.js";
import { Subscription } from "./subscription.js";
import { takeTrace } from "./trace.js";

/** Sends a "change" event whenever the result changes. */
export class Answer extends EventTarget {
  status = { text: "", tone: "" };
  /** The text shown as result, and its errors. */
  text = "";
  errors = [];
  /** The headers of the response, each a name and a value; none for subscriptions. */
  headers = [];
  /** The lists of the response that have a next page. */
  pages = [];
  /** What the server says of the cost and the times of the request; null if it says nothing. */
  trace = null;
  startedAt = 0;
  /** Whether the text is an earlier one with more in it. */
  isContinued = false;
  /** What the scripts of the request have written, each { kind, text, isProblem }. */
  lines = [];
  /** The events of a subscription; null for queries and mutations. */
  events = null;
  #subscription = null;
  /** Stops what is running; null when nothing is. */
  #stop = null;

  get isRunning() { return this.#stop !== null; }

  /** Whether it is a subscription that can be resumed. */
  get isResumable() { return this.#subscription !== null && !this.isRunning; }

  stop() { this.#stop?.(); }

  resume() { this.#subscription?.start(); }

  /** Sets the status line; `tone` is "good", "bad" or "". */
  say(text, tone = "") { this.#change({ status: { text, tone } }); }

  /** Shows why the request is not sent, in place of the previous result. */
  reject(problem) {
    this.#subscription = null;
    this.#change({ ...nothing, lines: [], events: null, status: { text: problem, tone: "bad" } });
  }

  /** Adds a line of a script. */
  log(line) { this.#change({ lines: [...this.lines, line] }); }

  /**
   * Runs `work(signal)` before the request is sent, and returns its result. Null if it was stopped or throws an error, whose message
   * says why nothing is sent.
   */
  async prepare(work) {
    const abort = new AbortController();
    this.#subscription = null;
    this.#stop = () => abort.abort();
    this.#change({ lines: [], events: null, status: { text: "Running…", tone: "" } });
    try {
      return await work(abort.signal);
    } catch ({ message }) {
      this.#stop = null;
      if (abort.signal.aborted) this.say("Stopped.");
      else this.#change({ ...nothing, status: { text: `Not sent: ${message}`, tone: "bad" } });
      return null;
    }
  }

  /**
   * Runs `send(signal, partly)`, which returns a response like `send` of transport.js, and calls `partly` as that does. `name` is that
   * of the operation, `typed` the request in the editors, { query, caret, variables }. Returns the response, or null.
   */
  async ask(send, { name, typed }) {
    const abort = new AbortController();
    this.#subscription = null;
    this.#stop = () => abort.abort();
    let partCount = 0;
    this.#change({ events: null, status: { text: "Running…", tone: "" }, isContinued: false });
    try {
      const startedAt = performance.now();
      const received = await send(abort.signal, ({ body, parts }) => {
        partCount = parts;
        if (!abort.signal.aborted) this.#change({ ...nothing, ...shown(body, { typed }), status: { text: ["Receiving…", ...counted(parts, "part")].join(" · "), tone: "" }, isContinued: parts > 1 });
      });
      const { status, elapsed, size, headers, text, body, parts } = received;
      const { trace, size: traceSize } = takeTrace(body, text);
      noteMutation(name, trace?.events ?? []);
      const result = shown(body, { text, typed });
      const words = [`${status}`, ...counted(parts, "part", 2), ...counted(result.errors.length, "error"), duration(elapsed), bytes(size - traceSize)];
      this.#stop = null;
      this.#change({
        status: { text: words.join(" · "), tone: status < 400 && result.errors.length === 0 ? "good" : "bad" },
        ...result, headers, trace, startedAt, isContinued: parts > 1,
      });
      return received;
    } catch {
      this.#stop = null;
      const received = counted(partCount, "part").join("");
      if (abort.signal.aborted) this.say(received === "" ? "Stopped." : `Stopped · ${received}`);
      else if (received !== "") this.say(`The connection broke after ${received}.`, "bad");
      else this.#change({ ...nothing, status: { text: "The server could not be reached.", tone: "bad" } });
      return null;
    }
  }

  /** Connects again, as it is chosen now, if a subscription is running. It resumes. */
  reconnect() {
    if (this.#subscription === null || !this.isRunning) return;
    this.#subscription.stop();
    this.#subscription.start();
  }

  /** Starts the subscription of a request; `connection` is that of Subscription, and `name` that of the operation. */
  listen(request, connection, name) {
    const subscription = new Subscription(request, connection);
    const events = new EventLog((payload) => this.#change({
      text: JSON.stringify(payload, null, 2), errors: payload?.errors ?? [],
    }));
    const say = (text, tone) => this.say([text, ...counted(events.count, "event", 0)].join(" · "), tone);
    let noted;
    this.#subscription = subscription;
    this.#change({ ...nothing, events, isContinued: false });
    subscription.addEventListener("event", ({ detail }) => {
      const setCause = events.add(detail);
      noteEvent(detail.extensions?.position, { name, payload: detail }, setCause);
      say("Listening", "good");
    });
    subscription.addEventListener("state", ({ target: { state }, detail }) => {
      const isOver = ["stopped", "ended"].includes(state);
      const said = { connecting: "Connecting…", listening: "Listening", waiting: detail, stopped: "Stopped", ended: detail || "Ended" };
      const note = { listening: "Connected", waiting: "Connection lost", stopped: "Stopped", ended: said.ended }[state];
      if (note !== undefined && note !== noted) events.note(note);
      noted = note ?? noted;
      this.#stop = isOver ? null : () => subscription.stop();
      say(said[state], state === "listening" ? "good" : isOver ? "" : "bad");
    });
    subscription.start();
  }

  #change(parts) {
    Object.assign(this, parts);
    this.dispatchEvent(new Event("change"));
  }
}

/** How a response is shown: its text, errors, and the next pages that the request in the editors can be changed for. */
function shown(body, { text, typed }) {
  return {
    text: body === undefined ? text : JSON.stringify(body, null, 2), errors: Array.isArray(body?.errors) ? body.errors : [],
    pages: nextPages(body?.data).filter((page) => requestOfNextPage(typed, page) !== null),
  };
}

const nothing = { text: "", errors: [], headers: [], pages: [], trace: null };

const counted = (count, name, least = 1) => (count < least ? [] : [count === 1 ? `1 ${name}` : `${count} ${name}s`]);

function duration(milliseconds) {
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`;
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

function bytes(count) {
  if (count < 1000) return `${count} bytes`;
  return count < 1e6 ? `${(count / 1000).toFixed(1)} kB` : `${(count / 1e6).toFixed(1)} MB`;
}
