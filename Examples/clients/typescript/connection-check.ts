import { expect, inShort } from "./expect.js";
import { type ClientOptions, FamilyChangedDocument, HearthClient, HearthError } from "./hearth.js";
import { change as changeOf, complete as end, next } from "./responses.js";

const endpoint = "http://server.test/graphql";
const change = { data: changeOf("only") };
const only = `id: 1\n\n${next(change, "2")}${end}`;

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
  await slowLoop();
  for (const hasPositions of [true, false]) await tooFast(hasPositions);
  await online();
}

class FakeSocket {
  readyState = 1;
  onopen = () => {};
  onmessage: ((_: { data: string }) => void) | null = null;

  constructor() { queueMicrotask(() => this.onopen()); }

  respond(message: object): void { this.onmessage?.({ data: JSON.stringify(message) }); }

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

// The time that a loop takes for an event is not silence of the connection.
async function slowLoop(): Promise<void> {
  const parts = [next({ data: changeOf("first") }), next({ data: changeOf("second") }) + end];
  let requests = 0;
  const server: typeof fetch = async (_, init) => {
    requests += 1;
    if (requests > 1) return complete();
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        init?.signal?.addEventListener("abort", () => controller.error(init.signal?.reason));
        for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
      },
    });
    return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
  };
  const names: string[] = [];
  await inShort((delay) => delay >= 30_000, async () => {
    const events = new HearthClient(endpoint, { fetch: server }).subscribe(FamilyChangedDocument);
    for await (const { familyChanged } of events) {
      names.push(familyChanged.__typename === "ItemChanged" ? familyChanged.item.name : "");
      await new Promise((resume) => { setTimeout(resume, 50); });
    }
  });
  expect(names.join() === "first,second" && requests === 1, [names, requests]);
}

// A WebSocket cannot be paused. A connection whose events wait for a slow loop is closed, and the next one resumes.
async function tooFast(hasPositions: boolean): Promise<void> {
  const count = 90;
  const sent: unknown[] = [];
  let closed = 0;
  const filler = "x".repeat(2 ** 16);
  class Server extends FakeSocket {
    send(text: string): void {
      const { type, payload } = JSON.parse(text) as { type: string; payload?: { extensions?: { position?: string } } };
      const connection = hasPositions ? { position: "0" } : {};
      if (type === "connection_init") return this.respond({ type: "connection_ack", payload: connection });
      if (type !== "subscribe") return;
      const position = payload?.extensions?.position;
      sent.push(position);
      this.#event(Number(position ?? 0) + 1);
      setTimeout(() => {
        for (let index = Number(position ?? 0) + 2; index <= count; index += 1) this.#event(index);
        this.respond({ id: "events", type: "complete" });
      }, 20);
    }

    #event(index: number): void {
      const item = { __typename: "Item", id: "1", name: String(index), filler };
      const extensions = hasPositions ? { position: String(index) } : {};
      const payload = { data: { familyChanged: { __typename: "ItemChanged", item } }, extensions };
      this.respond({ id: "events", type: "next", payload });
    }

    override close(): void { closed += 1; }
  }
  const client = new HearthClient(endpoint, { live: "webSocket", webSocket: Server as unknown as typeof WebSocket });
  const names: string[] = [];
  const error: unknown = await (async () => {
    for await (const { familyChanged } of client.subscribe(FamilyChangedDocument)) {
      names.push(familyChanged.__typename === "ItemChanged" ? familyChanged.item.name : "");
      if (names.length > 1) continue;
      await new Promise((resume) => { setTimeout(resume, 200); });
      // 5.6 MiB have arrived meanwhile.
      expect(closed === 1, closed);
    }
  })().catch((reason: unknown) => reason);
  const all = Array.from({ length: count }, (_, index) => String(index + 1));
  if (hasPositions) {
    expect(error === undefined && names.join() === all.join(), [String(error), names]);
    expect(sent.length === 2 && Number(sent[1]) > 50, sent);
  } else {
    expect(error instanceof HearthError && error.codes.join() === "EVENTS_TOO_FAST", String(error));
    expect(names.length > 50 && names.length < count && sent.length === 1, [names, sent]);
  }
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
