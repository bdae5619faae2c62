// A subscription over WebSocket (graphql-transport-ws). It reconnects when the connection breaks, and resumes after the last
// position that the server has sent.

const protocol = "graphql-transport-ws";
const longestPause = 15_000;
/** Sent after the subscription: its response means that the subscription is active and no event is missed. */
const probe = { query: "{ __typename }" };
/** Close codes after which reconnecting would fail again. */
const final = new Set([4400, 4401, 4403, 4406, 4409, 4429]);

export class Subscription extends EventTarget {
  #request;
  #authorization;
  #socket = null;
  #attempts = 0;
  #timer = 0;
  #position;
  /** "connecting", "listening" (the server has it), "waiting" (to connect again), "stopped" or "ended" */
  state = "stopped";

  /** `authorization()` returns the current value of the Authorization header, or null. */
  constructor(request, authorization) {
    super();
    this.#request = request;
    this.#authorization = authorization;
  }

  async start() {
    clearTimeout(this.#timer);
    this.#change("connecting");
    let authorization;
    try {
      authorization = await this.#authorization();
    } catch {
      if (this.state === "connecting") this.#closed({ code: 1006, reason: "" });
      return; // it could not be renewed: the server is not there
    }
    if (this.state !== "connecting") return;
    const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}${document.documentElement.dataset.endpoint}`, protocol);
    this.#socket = socket;
    socket.addEventListener("open", () => this.#send({
      type: "connection_init", payload: authorization === null ? {} : { authorization },
    }));
    socket.addEventListener("message", ({ data }) => { if (socket === this.#socket) this.#received(data); });
    socket.addEventListener("close", (event) => { if (socket === this.#socket) this.#closed(event); });
  }

  /** Stops it; `start` resumes it. */
  stop() {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = null;
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ id: "events", type: "complete" }));
    socket?.close(1000);
    this.#change("stopped");
  }

  #received(data) {
    let message;
    try { message = JSON.parse(data); } catch { return; }
    switch (message.type) {
      case "connection_ack":
        this.#send({ id: "events", type: "subscribe", payload: this.#resuming() });
        this.#send({ id: "probe", type: "subscribe", payload: probe });
        this.#position ??= message.payload?.position;
        break;
      case "ping": this.#send({ type: "pong" }); break;
      default: (message.id === "probe" ? this.#listening() : this.#told(message));
    }
  }

  #listening() {
    if (this.state !== "connecting") return;
    this.#attempts = 0;
    this.#change("listening");
  }

  #told({ type, payload }) {
    switch (type) {
      case "next":
        this.#listening();
        this.#position = payload.extensions?.position ?? this.#position;
        this.#tell("event", payload);
        break;
      case "error":
        this.#tell("event", { errors: payload });
        this.#end("The server rejected the subscription.");
        break;
      case "complete": this.#end("The subscription has ended."); break;
    }
  }

  /** The request with the resume position. */
  #resuming() {
    if (this.#position === undefined) return this.#request;
    return { ...this.#request, extensions: { ...this.#request.extensions, position: this.#position } };
  }

  #closed({ code, reason }) {
    this.#socket = null;
    // An access token that expired in the meantime has been renewed for the next attempt.
    const isRenewable = this.state === "listening" && reason.startsWith("TOKEN_EXPIRED");
    if (final.has(code) && !isRenewable) {
      this.#change("ended", reason || `The connection was closed (${code}).`);
      return;
    }
    // A server that shuts down sends each client the delay before it reconnects.
    const asked = /reconnect in (\d+) ms/.exec(reason)?.[1];
    const pause = asked ? Number(asked) : Math.min(longestPause, 500 * 2 ** this.#attempts) * (0.75 + Math.random() / 2);
    this.#attempts += 1;
    this.#change("waiting", `The connection was lost; trying again in ${Math.ceil(pause / 1000)} s.`);
    this.#timer = setTimeout(() => this.start(), pause);
  }

  #end(reason) {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close(1000);
    this.#change("ended", reason);
  }

  #send(message) { this.#socket?.send(JSON.stringify(message)); }

  #change(state, reason = "") {
    this.state = state;
    this.#tell("state", reason);
  }

  #tell(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail })); }
}
