import { expect, inShort } from "./expect.js";
import { type ClientOptions, FamilyChangedDocument, HearthClient, HearthError } from "./hearth.js";

const endpoint = "http://server.test/graphql";
const errors = (code: string, retryAfter?: number) => [{ message: code, extensions: { code, retryAfter } }];
const change = (name: string) => ({
  familyChanged: { __typename: "ItemChanged", item: { __typename: "Item", id: "1", name } },
});

/** What a subscription reports, in order, until the server completes it. */
async function reports(options: ClientOptions): Promise<string> {
  const seen: string[] = [];
  const events = new HearthClient(endpoint, options).subscribe(FamilyChangedDocument, {}, {
    onBegin: () => seen.push("begin"),
    onConnection: (isConnected) => seen.push(String(isConnected)),
    onPosition: (position) => seen.push(`at ${position}`),
  });
  for await (const { familyChanged } of events) {
    seen.push(familyChanged.__typename === "ItemChanged" ? familyChanged.item.name : "");
  }
  return seen.join();
}

// A server that cannot deliver an event at the moment gets the subscription again, which continues before that event.
export async function passing(): Promise<void> {
  const next = (payload: unknown, id?: string) =>
    `${id === undefined ? "" : `id: ${id}\n`}event: next\ndata: ${JSON.stringify(payload)}\n\n`;
  const complete = "event: complete\ndata:\n\n";
  const codes = ["OVERLOADED", "TOO_MANY_CONNECTIONS", "RATE_LIMITED", "EVENTS_TOO_FAST"];
  const streams = [
    `id: 1\n\n${next({ data: change("first") }, "2")}`
      + next({ data: null, errors: errors("STORAGE_UNAVAILABLE", 1), extensions: { position: "3" } }, "3") + complete,
    ...codes.map((code) => `retry: 1\n\n${next({ errors: errors(code) })}${complete}`),
    // A subscription that resumes is connected before its next event.
    "id: 2\n\n",
    `id: 2\n\n${next({ data: change("second") }, "3")}${complete}`,
  ];
  const positions: unknown[] = [];
  const times: number[] = [];
  const server: typeof fetch = async (_, init) => {
    times.push(Date.now());
    positions.push((JSON.parse(String(init?.body)) as { extensions?: { position: string } }).extensions?.position);
    return new Response(streams.shift(), { headers: { "Content-Type": "text/event-stream" } });
  };
  const seen = await reports({ fetch: server });
  expect(seen === "true,begin,at 1,first,at 2,false,true,false,true,second,at 3", seen);
  expect(positions.join() === ",2,2,2,2,2,2", positions);
  expect((times[1] ?? 0) - (times[0] ?? 0) >= 1000, times);
  await unpositioned();
  await missed();
  await later();
  await passingOverWebSockets();
  await failedWebSocket();
  await quiet();
}

// A server without positions states an empty one when a subscription has begun. It is not sent back.
async function unpositioned(): Promise<void> {
  const only = `event: next\ndata: ${JSON.stringify({ data: change("only") })}\n\nevent: complete\ndata:\n\n`;
  const streams = ["id:\n\n", `id:\n\n${only}`];
  const extensions: unknown[] = [];
  const server: typeof fetch = async (_, init) => {
    extensions.push((JSON.parse(String(init?.body)) as { extensions?: unknown }).extensions);
    return new Response(streams.shift(), { headers: { "Content-Type": "text/event-stream" } });
  };
  const seen = await reports({ fetch: server });
  expect(seen === "true,begin,false,true,only", seen);
  expect(extensions.every((sent) => sent === undefined) && extensions.length === 2, extensions);
}

// Without a position, the events that were too fast would be missed: the app has to load everything again.
async function missed(): Promise<void> {
  const tooFast = `id:\n\nevent: next\ndata: ${JSON.stringify({ errors: errors("EVENTS_TOO_FAST") })}\n\n`;
  let requests = 0;
  const server: typeof fetch = async () => {
    requests += 1;
    return new Response(tooFast, { headers: { "Content-Type": "text/event-stream" } });
  };
  const error: unknown = await reports({ fetch: server }).catch((reason: unknown) => reason);
  expect(error instanceof HearthError && error.codes.join() === "EVENTS_TOO_FAST", String(error));
  expect(requests === 1 && error.isTemporary, requests);
}

// A subscription waits for as long as the server states, which can be longer than a request would.
async function later(): Promise<void> {
  const only = `id: 1\n\nevent: next\ndata: ${JSON.stringify({ data: change("only") })}\n\nevent: complete\ndata:\n\n`;
  const limited = `event: next\ndata: ${JSON.stringify({ errors: errors("RATE_LIMITED", 20) })}\n\n`;
  const streams = [limited, only];
  const server: typeof fetch = async () =>
    new Response(streams.shift(), { headers: { "Content-Type": "text/event-stream" } });
  const { waited } = await inShort((delay) => delay >= 15_000 && delay < 60_000, () => reports({ fetch: server }));
  expect(waited.length === 1 && (waited[0] ?? 0) >= 20_000, waited);
}

async function passingOverWebSockets(): Promise<void> {
  let attempts = 0;
  class Server {
    readyState = 1;
    onopen = () => {};
    onmessage = (_: { data: string }) => {};

    constructor() { queueMicrotask(() => this.onopen()); }

    send(message: string): void {
      const { type, id } = JSON.parse(message) as { type: string; id?: string };
      const respond = (response: object) => this.onmessage({ data: JSON.stringify({ id, ...response }) });
      if (type === "connection_init") return respond({ type: "connection_ack", payload: { position: "1" } });
      if (type !== "subscribe" || id !== "events") return;
      attempts += 1;
      if (attempts === 1) return respond({ type: "error", payload: errors("STORAGE_UNAVAILABLE") });
      respond({ type: "next", payload: { data: change("first"), extensions: { position: "2" } } });
      respond({ type: "complete" });
    }

    close(): void {}
  }
  const seen = await reports({ live: "webSocket", webSocket: Server as unknown as typeof WebSocket });
  expect(attempts === 2 && seen === "false,true,begin,first,at 2", [attempts, seen]);
}

// Node 22 reports a failed attempt by an error alone. The next attempt must not wait for the heartbeat, a minute later.
async function failedWebSocket(): Promise<void> {
  let attempts = 0;
  class Unreachable {
    readyState = 0;
    onerror = () => {};
    onclose = (_: { code: number; reason: string }) => {};

    constructor() {
      attempts += 1;
      queueMicrotask(() => {
        this.onerror();
        // The second attempt is closed with a code after which another one would not help.
        if (attempts === 2) this.onclose({ code: 4403, reason: "TOKEN_REVOKED: The session has ended." });
      });
    }

    close(): void {}
  }
  const began = performance.now();
  const options: ClientOptions = { live: "webSocket", webSocket: Unreachable as unknown as typeof WebSocket };
  const error: unknown = await reports(options).catch((reason: unknown) => reason);
  expect(error instanceof HearthError && error.codes.join() === "TOKEN_REVOKED", String(error));
  expect(attempts === 2 && performance.now() - began < 10_000, attempts);
}

// After a connection that has lasted, the first attempt follows immediately, although the connection had no event.
async function quiet(): Promise<void> {
  const { now } = Date;
  let ahead = 0;
  Date.now = () => now() + ahead;
  const next = `event: next\ndata: ${JSON.stringify({ data: change("only") })}\n\nevent: complete\ndata:\n\n`;
  // Seven attempts fail, with a short delay that the server states. After another one the backoff is at least 16 s.
  const streams = [...Array.from({ length: 7 }, () => "retry: 1\n\n"), "id: 1\n\n", `id: 1\n\n${next}`];
  const server: typeof fetch = async () => {
    const stream = streams.shift();
    if (stream === "id: 1\n\n") ahead += 11_000;
    return new Response(stream, { headers: { "Content-Type": "text/event-stream" } });
  };
  const began = performance.now();
  const seen = await reports({ fetch: server });
  Date.now = now;
  expect(seen === "false,true,begin,at 1,false,true,only", seen);
  expect(performance.now() - began < 10_000, performance.now() - began);
}
