// The tutorial's client with a function in place of the server, which responds in an order that a server cannot be made
// to have.
import assert from "node:assert/strict";
import { hasEnded, Hearth } from "../../Examples/tutorial/web/hearth.ts";

const answer = (body: object) => new Response(JSON.stringify(body));
const rejection = (code: string) => answer({ errors: [{ message: code, extensions: { code } }] });
const endpoint = "http://server.test/graphql";
const first = { accessToken: "first", refreshToken: "first" };
const second = { accessToken: "second", refreshToken: "second" };

async function failure(request: Promise<unknown>) {
  const error: any = await request.then(() => assert.fail("The request succeeded."), (reason) => reason);
  return { code: error.code, hasEnded: hasEnded(error) };
}

// The second request finds its token expired after the renewal that the first one began was rejected.
async function late() {
  const rejected = Promise.withResolvers<void>();
  globalThis.fetch = async (_, options) => {
    const body = String(options?.body);
    if (body.includes("refreshSession")) return answer({ data: { refreshSession: { credentials: null } } });
    if (body.includes("second")) await rejected.promise;
    return rejection("TOKEN_EXPIRED");
  };
  const hearth = new Hearth(endpoint, first);
  const requests = [hearth.request("{ first }"), hearth.request("{ second }")];
  assert.deepEqual(await failure(requests[0]), { code: "SIGNED_OUT", hasEnded: true });
  rejected.resolve();
  assert.deepEqual(await failure(requests[1]), { code: "SIGNED_OUT", hasEnded: true });
}

// The page is closed before the response to its renewal arrives, and the next one repeats the renewal.
async function repeated() {
  const keys: string[] = [];
  let stored: any = null;
  globalThis.fetch = async (_, options) => {
    const { query, extensions } = JSON.parse(String(options?.body));
    if (query.includes("refreshSession")) {
      keys.push(extensions.idempotencyKey);
      if (keys.length === 1) throw new TypeError("fetch failed");
      return answer({ data: { refreshSession: { credentials: { accessToken: "next", refreshToken: "next" } } } });
    }
    const isRenewed = new Headers(options?.headers).get("Authorization") === "Bearer next";
    return isRenewed ? answer({ data: {} }) : rejection("TOKEN_EXPIRED");
  };
  const store = (credentials: any) => { stored = credentials; };
  const hearth = new Hearth(endpoint, null, store);
  hearth.use(first);
  const { renewalKey } = stored;
  assert.deepEqual(await failure(hearth.request("{ first }")), { code: "UNREACHABLE", hasEnded: false });
  await new Hearth(endpoint, JSON.parse(JSON.stringify(stored)), store).request("{ first }");
  assert.deepEqual(keys, [renewalKey, renewalKey]);
  assert.ok(/^[\w-]{7,}$/.test(renewalKey), renewalKey);
  assert.ok(stored.refreshToken === "next" && stored.renewalKey && stored.renewalKey !== renewalKey, stored.renewalKey);
}

// Tokens that were stored without a key have none, and those of a repeated renewal that were used are of no use.
async function spent() {
  for (const code of ["RESPONSE_NOT_KEPT", "IDEMPOTENCY_KEY_REUSED"]) {
    globalThis.fetch = async (_, options) => {
      const { query, extensions } = JSON.parse(String(options?.body));
      if (!query.includes("refreshSession")) return rejection("TOKEN_EXPIRED");
      assert.deepEqual(extensions, {});
      return rejection(code);
    };
    assert.deepEqual(await failure(new Hearth(endpoint, first).request("{ first }")), { code, hasEnded: true });
  }
}

// Another person signs in before a mutation's token is found expired, or while it is renewed.
async function replaced() {
  for (const held of ["mutation { first }", "refreshSession"]) {
    const arrived = Promise.withResolvers<void>();
    const isReplaced = Promise.withResolvers<void>();
    const sent: string[] = [];
    globalThis.fetch = async (_, options) => {
      const { query, variables } = JSON.parse(String(options?.body));
      const name = query.includes("refreshSession") ? "refreshSession" : query;
      sent.push(`${name} ${variables.refreshToken ?? new Headers(options?.headers).get("Authorization")}`);
      if (name === held) {
        arrived.resolve();
        await isReplaced.promise;
      }
      if (name !== "refreshSession") return rejection("TOKEN_EXPIRED");
      return answer({ data: { refreshSession: { credentials: { accessToken: "next", refreshToken: "next" } } } });
    };
    let stored: any = null;
    const hearth = new Hearth(endpoint, first, (credentials) => { stored = credentials; });
    const mutation = hearth.request("mutation { first }");
    await arrived.promise;
    hearth.use(null);
    hearth.use(second);
    isReplaced.resolve();
    assert.deepEqual(await failure(mutation), { code: "SIGNED_OUT", hasEnded: true });
    const renewals = held === "refreshSession" ? ["refreshSession first"] : [];
    assert.deepEqual(sent, ["mutation { first } Bearer first", ...renewals]);
    assert.deepEqual([hearth.credentials?.accessToken, stored.accessToken], ["second", "second"]);
  }
}

// Another person signs in while a subscription is connected, also if the next event has already arrived. It begins
// again without the position of the previous person, and ends when the next one signs out.
async function replacedWhileConnected() {
  for (const isReceived of [false, true]) {
    const sent: string[] = [];
    globalThis.fetch = async (_, options) => {
      const { position } = JSON.parse(String(options?.body)).extensions;
      sent.push(`${new Headers(options?.headers).get("Authorization")} ${position}`);
      const names = sent.length > 1 ? ["second"] : isReceived ? ["first", "for the first"] : ["first"];
      const events = names.map((name, id) => `event: next\nid: ${id}\ndata: ${JSON.stringify({ data: name })}\n\n`);
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(`id: 7\n\n${events.join("")}`));
          options!.signal!.addEventListener("abort", () => controller.error(options!.signal!.reason));
        },
      });
      return new Response(body);
    };
    const hearth = new Hearth(endpoint, first);
    let begun = 0;
    const events = hearth.subscribe("subscription { name }", {}, async () => { begun += 1; });
    assert.equal((await events.next()).value, "first");
    const next = events.next();
    hearth.use(second);
    assert.equal((await next).value, "second");
    assert.deepEqual([sent, begun], [["Bearer first undefined", "Bearer second undefined"], 2]);
    const end = failure(events.next());
    hearth.use(null);
    assert.deepEqual(await end, { code: "SIGNED_OUT", hasEnded: true });
  }
}

await late();
await repeated();
await spent();
await replaced();
await replacedWhileConnected();
console.log("ok");
