// One subscription over WebSocket, by the graphql-transport-ws protocol. A connection that breaks is made anew, and goes on
// after the last event whose position the server has told.

const protocol = "graphql-transport-ws";
const longestPause = 15_000;
/** Closing codes after which trying again would only fail again. */
const final = new Set([4400, 4401, 4403, 4406, 4409, 4429]);

export class Subscription extends EventTarget {
  #request;
  #token;
  #socket = null;
  #attempts = 0;
  #timer = 0;
  #position;
  /** "connecting", "listening", "waiting" (to connect again), "stopped" or "ended" */
  state = "stopped";

  /** `token()` gives the access token of the moment, or null. */
  constructor(request, token) {
    super();
    this.#request = request;
    this.#token = token;
  }

  async start() {
    clearTimeout(this.#timer);
    this.#change("connecting");
    const token = await this.#token();
    if (this.state !== "connecting") return;
    const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/graphql`, protocol);
    this.#socket = socket;
    socket.addEventListener("open", () => this.#send({
      type: "connection_init", payload: token === null ? {} : { authorization: `Bearer ${token}` },
    }));
    socket.addEventListener("message", ({ data }) => { if (socket === this.#socket) this.#received(data); });
    socket.addEventListener("close", (event) => { if (socket === this.#socket) this.#closed(event); });
  }

  /** Ends it; `start` begins it again. */
  stop() {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = null;
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ id: "1", type: "complete" }));
    socket?.close(1000);
    this.#change("stopped");
  }

  #received(data) {
    let message;
    try { message = JSON.parse(data); } catch { return; }
    switch (message.type) {
      case "connection_ack":
        this.#attempts = 0;
        this.#send({ id: "1", type: "subscribe", payload: this.#resuming() });
        this.#change("listening");
        break;
      case "ping": this.#send({ type: "pong" }); break;
      case "next":
        this.#position = message.payload.extensions?.position ?? this.#position;
        this.#tell("event", message.payload);
        break;
      case "error":
        this.#tell("event", { errors: message.payload });
        this.#end("The server has refused the subscription.");
        break;
      case "complete": this.#end("The subscription has ended."); break;
    }
  }

  /** The request, from where it was left. */
  #resuming() {
    if (this.#position === undefined) return this.#request;
    return { ...this.#request, extensions: { ...this.#request.extensions, position: this.#position } };
  }

  #closed({ code, reason }) {
    this.#socket = null;
    if (final.has(code)) {
      this.#change("ended", reason || `The connection was closed (${code}).`);
      return;
    }
    const pause = Math.min(longestPause, 500 * 2 ** this.#attempts) * (0.75 + Math.random() / 2);
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
