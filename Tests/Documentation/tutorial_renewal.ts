// The tutorial's client with a function in place of the server, which responds in an order that a server cannot be made
// to have.
import assert from "node:assert/strict";
import { hasEnded, Hearth } from "../../Examples/tutorial/web/hearth.ts";

const answer = (body: object) => new Response(JSON.stringify(body));
const rejection = (code: string) => answer({ errors: [{ message: code, extensions: { code } }] });
const endpoint = "http://server.test/graphql";
const first = { accessToken: "first", refreshToken: "first" };

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

await late();
console.log("ok");
