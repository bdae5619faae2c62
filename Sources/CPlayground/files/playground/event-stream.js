// A subscription over an event stream (graphql-sse, distinct connections mode).

import { Silence } from "./silence.js";
import { passingError } from "./subscription.js";

const { endpoint } = document.documentElement.dataset;
const accept = "text/event-stream, application/graphql-response+json;q=0.5";
/** Errors of an active subscription that another attempt does not have: its token is renewed. */
const passing = new Set(["TOKEN_EXPIRED", "RIGHTS_CHANGED"]);
/** How long (ms) after the head of the response a subscription counts as active, on servers whose events have no positions. */
const grace = 1000;

/** Connects, and reports to `heard`, as Subscription describes. Returns a function that closes the connection. */
export function connectEventStream({ request, authorization, headers, isResumed }, heard) {
  const abort = new AbortController();
  const stream = new Stream(heard, isResumed);
  const all = new Headers({ "Content-Type": "application/json", Accept: accept, ...headers });
  if (authorization !== null) all.set("Authorization", authorization);
  fetch(endpoint, { method: "POST", headers: all, body: JSON.stringify(request), signal: abort.signal, cache: "no-store" })
    .then((response) => stream.read(response))
    .catch(() => stream.lost());
  return () => {
    stream.close();
    abort.abort();
  };
}

class Stream {
  #heard;
  #isResumed;
  #isListening = false;
  #isOver = false;
  #hasFailed = false;
  #pause;
  #timer = 0;
  #silence = new Silence(() => this.lost());

  constructor(heard, isResumed) {
    this.#heard = heard;
    this.#isResumed = isResumed;
  }

  close() {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#silence.end();
  }

  async read(response) {
    if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) return this.#reject(response);
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    let rest = "";
    // It is active when the server states the position it begins at.
    this.#timer = setTimeout(() => this.#listening(), grace);
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return this.lost();
      this.#silence.heard();
      const events = (rest + decoder.decode(value, { stream: true })).replaceAll("\r\n", "\n").split("\n\n");
      rest = events.pop();
      for (const event of events) this.#received(fieldsOf(event));
    }
  }

  lost(error) {
    if (this.#isOver) return;
    this.close();
    this.#heard.lost(this.#pause, error);
  }

  #end(reason) {
    this.close();
    this.#heard.ended(reason);
  }

  /** A response that is no stream: the server or a proxy before it has rejected the request. */
  async #reject(response) {
    if (response.status >= 500) return this.lost();
    const { errors = [{ message: `The server answered with status ${response.status}.` }] } = await response.json().catch(() => ({}));
    const error = passingError({ errors });
    if (error) return this.lost(error);
    this.#heard.event({ errors });
    return this.#end("The server rejected the subscription.");
  }

  #listening() {
    clearTimeout(this.#timer);
    if (!this.#isListening) this.#heard.listening();
    this.#isListening = true;
  }

  #received({ event, data, id, retry }) {
    if (this.#isOver) return undefined;
    this.#pause = retry ?? this.#pause;
    if (event === "complete") return this.#end(this.#hasFailed ? "The server rejected the subscription." : "The subscription has ended.");
    if (event !== "next") {
      if (id !== undefined) {
        // An empty one means that the subscription has begun on a server without positions.
        if (id !== "") this.#heard.started(id);
        this.#listening();
      }
      return undefined;
    }
    const payload = JSON.parse(data);
    const error = passingError(payload);
    const wasActive = this.#isListening || this.#isResumed;
    const isPassing = error || wasActive && payload.errors?.some(({ extensions }) => passing.has(extensions?.code));
    if (isPassing && !payload.data) return this.lost(error);
    this.#hasFailed = payload.data === undefined;
    if (!this.#hasFailed) this.#listening();
    return this.#heard.event(payload, payload.extensions?.position ?? id);
  }
}

/** The fields of an event. Comments, which keep the connection open, have none. */
function fieldsOf(event) {
  const fields = {};
  for (const line of event.split("\n")) {
    const { name, value } = /^(?<name>\w+)(?:: ?(?<value>.*))?$/.exec(line)?.groups ?? {};
    if (name === "data" && fields.data !== undefined) fields.data += `\n${value ?? ""}`;
    else if (name !== undefined) fields[name] = value ?? "";
  }
  return fields;
}
