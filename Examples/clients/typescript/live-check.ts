import { expect, expectSome } from "./expect.js";
import { AddItemDocument, type ClientOptions, type Credentials, FamilyChangedDocument, HearthClient } from "./hearth.js";

// A subscription that outlives its access token and its server. Items are added until the first event arrives; then it
// calls `heard` and listens, while the test stops the server, adds "meanwhile" at another port, starts the server
// again and adds "last".
export async function live(
  endpoint: string, credentials: Credentials, options: ClientOptions, heard: () => void,
): Promise<void> {
  const client = new HearthClient(endpoint, { ...options, credentials });
  const names: string[] = [];
  const positions: string[] = [];
  let begun = 0;
  const listening = (async () => {
    const callbacks = { onBegin: () => { begun += 1; }, onPosition: (position: string) => { positions.push(position); } };
    for await (const { familyChanged } of client.subscribe(FamilyChangedDocument, {}, callbacks)) {
      expect(familyChanged.__typename === "ItemChanged", familyChanged);
      names.push(familyChanged.item.name);
      if (familyChanged.item.name === "last") break;
    }
  })();
  let added = 0;
  while (names.length === 0 && added < 5000) {
    added += 1;
    await client.mutate(AddItemDocument, { input: { name: String(added) } });
  }
  heard();
  await listening;
  const first = Number(expectSome(names[0]));
  const wanted = Array.from({ length: added - first + 1 }, (_, index) => String(first + index));
  expect(names.join() === [...wanted, "meanwhile", "last"].join(), names);
  expect(begun === 1 && positions.length >= names.length - 1, [begun, positions.length]);

  // Another client resumes where that one left its loop, before the event that it did not finish.
  const position = expectSome(positions.at(-1));
  const next = new HearthClient(endpoint, { ...options, credentials: client.credentials });
  for await (const { familyChanged } of next.subscribe(FamilyChangedDocument, {}, { position })) {
    expect(familyChanged.__typename === "ItemChanged" && familyChanged.item.name === "last", familyChanged);
    break;
  }
}
