// A subscription, over a WebSocket or an event stream. It reconnects when the connection breaks, and resumes after the last position
// that the server has sent, whichever of the two it used before.

const longestPause = 15_000;
const passing = new Set(["STORAGE_UNAVAILABLE", "OVERLOADED", "TOO_MANY_CONNECTIONS", "RATE_LIMITED", "EVENTS_TOO_FAST"]);

/** The error of a response without data after which the subscription can go on later, if there is one. */
export function passingError({ data, errors } = {}) {
  return data || !Array.isArray(errors) ? undefined : errors.find(({ extensions }) => passing.has(extensions?.code));
}

export class Subscription extends EventTarget {
  #request;
  #headers;
  #authorization;
  #connect;
  #close = () => {};
  /** Identifies the current connection: what is heard from earlier ones is ignored. */
  #current = null;
  #attempts = 0;
  #timer = 0;
  #position;
  /** "connecting", "listening" (the server has it), "waiting" (to connect again), "stopped" or "ended" */
  state = "stopped";

  /**
   * `authorization()` returns the current value of the Authorization header, or null. `headers` are the others, which a WebSocket
   * cannot have. `connect()` returns the function that connects, as it is chosen at the time. It reports to an object:
   *   started(position)        the server has stated the position at which the subscription begins, if it has positions
   *   listening()              the subscription is active
   *   event(payload, position)
   *   lost(pause, error)       try again, after a pause (ms) if the server asks for one, or because of its error
   *   ended(reason)            trying again would be of no use
   */
  constructor(request, { authorization, headers, connect }) {
    super();
    this.#request = request;
    this.#headers = headers;
    this.#authorization = authorization;
    this.#connect = connect;
  }

  async start() {
    clearTimeout(this.#timer);
    const current = {};
    this.#current = current;
    this.#change("connecting");
    const heard = Object.fromEntries(Object.entries(this.#heard)
      .map(([name, act]) => [name, (...parts) => { if (current === this.#current) act(...parts); }]));
    let authorization;
    try {
      authorization = await this.#authorization();
    } catch {
      heard.lost(); // it could not be renewed: the server is not there
      return;
    }
    if (current !== this.#current) return;
    this.#close = this.#connect()({
      request: this.#resuming(), authorization, headers: this.#headers, isResumed: this.#position !== undefined,
    }, heard);
  }

  /** Stops it; `start` resumes it. */
  stop() { this.#disconnect("stopped"); }

  #heard = {
    started: (position) => { this.#position ??= position; },
    listening: () => {
      this.#attempts = 0;
      this.#change("listening");
    },
    event: (payload, position) => {
      this.#position = position ?? this.#position;
      this.#tell("event", payload);
    },
    lost: (asked, error = {}) => {
      const { extensions } = error;
      // Without a position to resume from, it would seem to go on, and miss events.
      if (extensions?.code === "EVENTS_TOO_FAST" && this.#position === undefined) {
        this.#tell("event", { errors: [error] });
        return this.#disconnect("ended", "Events are missing: run it again.");
      }
      const usual = Math.min(longestPause, 500 * 2 ** this.#attempts) * (0.75 + Math.random() / 2);
      const pause = asked ? Number(asked) : Math.max(usual, 1000 * (extensions?.retryAfter ?? 0));
      const reason = extensions ? `The server responded with ${extensions.code}` : "The connection was lost";
      this.#attempts += 1;
      this.#disconnect("waiting", `${reason}; trying again in ${Math.ceil(pause / 1000)} s.`);
      this.#timer = setTimeout(() => this.start(), pause);
      return undefined;
    },
    ended: (reason) => this.#disconnect("ended", reason),
  };

  /** The request with the resume position. */
  #resuming() {
    if (this.#position === undefined) return this.#request;
    return { ...this.#request, extensions: { ...this.#request.extensions, position: this.#position } };
  }

  #disconnect(state, reason) {
    clearTimeout(this.#timer);
    this.#current = null;
    this.#close();
    this.#close = () => {};
    this.#change(state, reason);
  }

  #change(state, reason = "") {
    this.state = state;
    this.#tell("state", reason);
  }

  #tell(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail })); }
}
