import { expect, soon } from "./expect.js";
import { FamilyChangedDocument, HearthClient, HearthError, ViewerDocument } from "./hearth.js";
import { stream } from "./responses.js";

const endpoint = "http://server.test/graphql";

// Other programs respond with JSON too, and with event streams. Sending the request again would not help.
export async function responses(): Promise<void> {
  for (const text of ["null", "1", "[]", "{}", "{", "{\"errors\": \"none\"}", "{\"errors\": {\"code\": 1}}"]) {
    let requests = 0;
    const server: typeof fetch = async (_, init) => {
      requests += 1;
      if (new Headers(init?.headers).get("Accept") !== "text/event-stream") {
        return new Response(text, { headers: { "Content-Type": "application/json" } });
      }
      return stream(`event: next\ndata: ${text}\n\n`, init?.signal);
    };
    const client = new HearthClient(endpoint, { fetch: server });
    for (const begin of [() => client.query(ViewerDocument), () => client.subscribe(FamilyChangedDocument).next()]) {
      const error: unknown = await soon<unknown>(begin()).catch((reason: unknown) => reason);
      expect(error instanceof HearthError && error.reason === "notGraphQL", [text, requests, String(error)]);
    }
    expect(requests === 2, [text, requests]);
  }
}
