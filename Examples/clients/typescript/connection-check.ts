import { expect, inShort } from "./expect.js";
import { type ClientOptions, FamilyChangedDocument, HearthClient } from "./hearth.js";

const endpoint = "http://server.test/graphql";
const change = {
  data: { familyChanged: { __typename: "ItemChanged", item: { __typename: "Item", id: "1", name: "only" } } },
};
const only = `id: 1\n\nid: 2\nevent: next\ndata: ${JSON.stringify(change)}\n\nevent: complete\ndata:\n\n`;

/** What a subscription reports, in order, until the server completes it. */
async function reports(options: ClientOptions, seen: string[] = []): Promise<string> {
  const events = new HearthClient(endpoint, options).subscribe(FamilyChangedDocument, {}, {
    onBegin: () => seen.push("begin"),
    onConnection: (isConnected) => seen.push(String(isConnected)),
  });
  for await (const { familyChanged } of events) {
    seen.push(familyChanged.__typename === "ItemChanged" ? familyChanged.item.name : "");
  }
  return seen.join();
}

// When a connection has begun, is lost without an end, and is made again.
export async function connections(): Promise<void> {
  for (const returnsPayload of [true, false]) await begun(returnsPayload);
  await silentWebSocket();
  await silentStream();
  await online();
}

class FakeSocket {
  readyState = 1;
  onopen = () => {};
  onmessage = (_: { data: string }) => {};

  constructor() { queueMicrotask(() => this.onopen()); }

  respond(message: object): void { this.onmessage({ data: JSON.stringify(message) }); }

  close(): void {}
}

// The server prepares a long document on another thread. Other operations overtake it, but not the pong.
async function begun(returnsPayload: boolean): Promise<void> {
  const seen: string[] = [];
  class Server extends FakeSocket {
    #held: (object | undefined)[] = [];

    send(text: string): void {
      const { type, id, payload } = JSON.parse(text) as { type: string; id?: string; payload?: object };
      if (type === "connection_init") {
        this.respond({ type: "connection_ack", payload: { position: "1" } });
      } else if (type === "subscribe" && id === "events") {
        // That of a token that was renewed before the subscription.
        this.respond({ type: "pong", payload: { renewed: true } });
        setTimeout(() => this.#begin(), 100);
      } else if (type === "subscribe") {
        this.respond({ id, type: "next", payload: { data: { __typename: "Query" } } });
        this.respond({ id, type: "complete" });
      } else if (type === "ping") {
        this.#held.push(payload);
      }
    }

    #begin(): void {
      seen.push("prepared");
      for (const payload of this.#held) this.respond({ type: "pong", ...(returnsPayload ? { payload } : {}) });
      this.respond({ id: "events", type: "next", payload: change });
      this.respond({ id: "events", type: "complete" });
    }
  }
  await reports({ live: "webSocket", webSocket: Server as unknown as typeof WebSocket }, seen);
  expect(seen.join() === "prepared,true,begin,only", seen);
}

// The connection is lost after the second pong of a heartbeat. The period of the heartbeat is short here.
async function silentWebSocket(): Promise<void> {
  let connections = 0;
  let pings = 0;
  class Server extends FakeSocket {
    constructor() {
      super();
      connections += 1;
    }

    send(text: string): void {
      const { type, payload } = JSON.parse(text) as { type: string; payload?: object };
      if (type === "connection_init") return this.respond({ type: "connection_ack", payload: { position: "1" } });
      if (type !== "ping" || connections === 1 && pings === 3) return;
      pings += 1;
      this.respond({ type: "pong", payload });
      if (connections === 1) return;
      this.respond({ id: "events", type: "next", payload: change });
      this.respond({ id: "events", type: "complete" });
    }
  }
  const { setInterval } = globalThis;
  const periods: number[] = [];
  globalThis.setInterval = ((act: () => void, period: number) => {
    periods.push(period);
    return setInterval(act, 20);
  }) as unknown as typeof setInterval;
  try {
    const seen = await reports({ live: "webSocket", webSocket: Server as unknown as typeof WebSocket });
    expect(seen === "true,begin,false,true,only", seen);
  } finally {
    globalThis.setInterval = setInterval;
  }
  expect(connections === 2 && pings === 4 && periods.join() === "30000,30000", [connections, pings, periods]);
}

/** An event stream that sends nothing more, until the request is aborted. */
function silence(text: string, signal: AbortSignal | null | undefined): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode(text));
      signal?.addEventListener("abort", () => controller.error(signal.reason));
    },
  });
  return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
}

function complete(): Response {
  return new Response(only, { headers: { "Content-Type": "text/event-stream" } });
}

async function silentStream(): Promise<void> {
  let requests = 0;
  let waits = 0;
  const server: typeof fetch = async (_, init) => {
    requests += 1;
    return requests === 1 ? silence("id: 1\n\n", init?.signal) : complete();
  };
  // The wait after the first bytes.
  const isShort = (delay: number) => {
    if (delay < 50_000 || requests !== 1) return false;
    waits += 1;
    return waits === 1;
  };
  const { value, waited } = await inShort(isShort, () => reports({ fetch: server }));
  expect(value === "true,begin,false,true,only" && waited.join() === "60000", [value, waited]);
}

// A network that is back ends a pause, and a connection of the one before.
async function online(): Promise<void> {
  const network = new EventTarget();
  let listeners = 0;
  const globals = {
    addEventListener: (name: string, listener: () => void) => {
      listeners += 1;
      network.addEventListener(name, listener);
    },
    removeEventListener: (name: string, listener: () => void) => {
      listeners -= 1;
      network.removeEventListener(name, listener);
    },
  };
  for (const [name, value] of Object.entries(globals)) {
    Object.defineProperty(globalThis, name, { value, configurable: true });
  }
  const seen: string[] = [];
  const back = () => setTimeout(() => {
    seen.push("online");
    network.dispatchEvent(new Event("online"));
  }, 100);
  let requests = 0;
  const server: typeof fetch = async (_, init) => {
    requests += 1;
    if (requests < 3) back();
    if (requests === 1) return new Response("retry: 600000\n\n", { headers: { "Content-Type": "text/event-stream" } });
    return requests === 2 ? silence("id: 1\n\n", init?.signal) : complete();
  };
  try {
    await reports({ fetch: server }, seen);
  } finally {
    for (const name of Object.keys(globals)) Reflect.deleteProperty(globalThis, name);
  }
  expect(seen.join() === "false,online,true,begin,online,false,true,only" && listeners === 0, [seen, listeners]);
}
