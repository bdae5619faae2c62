import { expect } from "./expect.js";
import { HearthClient, ViewerDocument } from "./hearth.js";

// Requests that wait for a renewal while another person signs in are not sent with the tokens of the previous one.
// Neither is a request of the other person whose token expires during that renewal.
export async function replaced(): Promise<void> {
  const tokens: (string | null)[] = [];
  let replace = () => {};
  const isReplaced = new Promise<void>((resolve) => { replace = resolve; });
  const headers = { "Content-Type": "application/json" };
  const json = (body: unknown) => new Response(JSON.stringify(body), { headers });
  const server: typeof fetch = async (_, init) => {
    const body = String(init?.body);
    if (body.includes("RefreshSession")) {
      const { variables } = JSON.parse(body) as { variables: { refreshToken: string } };
      const name = variables.refreshToken;
      // The first renewal ends after the second one. A client that waits for it must fail, not hang.
      if (name === "first") await Promise.race([isReplaced, pause(5000)]);
      const credentials = { accessToken: `renewed ${name}`, refreshToken: `next ${name}` };
      return json({ data: { refreshSession: { credentials } } });
    }
    const token = new Headers(init?.headers).get("Authorization");
    tokens.push(token);
    if (token === "Bearer first" || token === "Bearer second") {
      return json({ errors: [{ message: "TOKEN_EXPIRED", extensions: { code: "TOKEN_EXPIRED" } }] });
    }
    if (token === "Bearer renewed second") replace();
    return json({ data: { viewer: null } });
  };
  const credentials = { accessToken: "first", refreshToken: "first" };
  const client = new HearthClient("http://server.test/graphql", { credentials, fetch: server });
  const waiting = [client.query(ViewerDocument), client.query(ViewerDocument)];
  // Both wait for the renewal then.
  await pause(100);
  client.use({ accessToken: "second", refreshToken: "second" });
  await client.query(ViewerDocument);
  await Promise.all(waiting);
  const first = ["Bearer first", "Bearer first", "Bearer second"];
  expect(tokens.join() === [...first, ...first.map(() => "Bearer renewed second")].join(), tokens);
  expect(client.credentials?.accessToken === "renewed second", client.credentials);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resume) => { setTimeout(resume, milliseconds); });
}
