import { expect } from "./expect.js";
import { type Credentials, HearthClient, ViewerDocument } from "./hearth.js";

// Two clients share what is stored, as the tabs of a browser do. The server issues access tokens for a second: after
// two, one client renews, and the other uses what that one has stored. A second use of a refresh token would end the
// session.
export async function tabs(endpoint: string, credentials: Credentials): Promise<void> {
  let stored: Credentials | null = credentials;
  const used: unknown[] = [];
  const recording: typeof fetch = (input, init) => {
    const { variables } = JSON.parse(String(init?.body)) as { variables?: { refreshToken?: string } };
    if (variables?.refreshToken !== undefined) used.push(variables.refreshToken);
    return fetch(input, init);
  };
  const storedCredentials = () => stored;
  const onCredentials = (next: Credentials | null) => { stored = next; };
  const tab = () => new HearthClient(endpoint, { credentials, storedCredentials, onCredentials, fetch: recording });
  const clients = [tab(), tab()];

  // At the same moment, which takes locks.
  if (navigator.locks !== undefined) {
    await expiry();
    await Promise.all(clients.map((client) => client.query(ViewerDocument)));
  }
  // One after the other, as in React Native.
  Object.defineProperty(navigator, "locks", { value: undefined, configurable: true });
  await expiry();
  for (const client of clients) await client.query(ViewerDocument);
  expect(Reflect.deleteProperty(navigator, "locks"));

  expect(stored !== null && used.length > 0 && new Set(used).size === used.length, used);
}

function expiry(): Promise<void> {
  return new Promise((resume) => { setTimeout(resume, 2000); });
}
