// How the events of subscriptions arrive: the user chooses between a WebSocket and an event stream.

import { connectEventStream } from "./event-stream.js";
import { recall, remember } from "./memory.js";
import { connectWebSocket } from "./web-socket.js";

const element = (id) => document.getElementById(id);

export class Connections {
  /** `chosen()` is called when the user has chosen another one. */
  constructor(chosen) {
    element("over-event-stream").checked = recall("connection") === "event stream";
    for (const id of ["over-web-socket", "over-event-stream"]) {
      element(id).addEventListener("change", () => {
        remember("connection", this.#isEventStream ? "event stream" : "web socket");
        chosen();
      });
    }
  }

  get #isEventStream() { return element("over-event-stream").checked; }

  /** The function that connects, for a Subscription. */
  get connect() { return this.#isEventStream ? connectEventStream : connectWebSocket; }

  /** Shows the choice for a subscription only. */
  show(operation) { element("connection").hidden = operation?.operation !== "subscription"; }
}
