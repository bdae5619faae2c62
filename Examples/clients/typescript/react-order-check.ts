import { createElement } from "react";
import { act, create } from "react-test-renderer";
import { expect } from "./expect.js";
import { AddItemDocument, FamilyChangedDocument, HearthClient, ViewerDocument } from "./hearth.js";
import { HearthProvider, useMutation, useQuery, useSubscription } from "./hearth-react.js";
import { json, rejection, stream, tokenOf } from "./responses.js";

async function pass(milliseconds: number): Promise<void> {
  await act(async () => { await new Promise((resume) => setTimeout(resume, milliseconds)); });
}

// Events that come faster than a query is answered do not keep its responses from being shown.
export async function reloads(): Promise<void> {
  const responses: ((name: string) => void)[] = [];
  let aborted = 0;
  const server: typeof fetch = (_, init) => new Promise((resolve, reject) => {
    init?.signal?.addEventListener("abort", () => {
      aborted += 1;
      reject(init.signal?.reason);
    });
    responses.push((name) => {
      const viewer = { __typename: "Account", id: "1", name, email: null };
      resolve(new Response(JSON.stringify({ data: { viewer } }), { headers: { "Content-Type": "application/json" } }));
    });
  });
  const client = new HearthClient("http://server.test/graphql", { fetch: server });
  let shown = "";
  let reload = () => {};
  function Viewer(): null {
    const query = useQuery(ViewerDocument);
    reload = query.reload;
    shown = `${query.data?.viewer?.name} ${query.isLoading}`;
    return null;
  }
  let root: ReturnType<typeof create> | undefined;
  await act(async () => { root = create(createElement(HearthProvider, { client }, createElement(Viewer, {}))); });
  const state = () => `${shown} ${responses.length} ${aborted}`;
  for (let event = 0; event < 3; event += 1) await act(async () => reload());
  expect(state() === "undefined true 1 0", state());
  responses[0]?.("first");
  await pass(50);
  // One load follows for all of the events.
  expect(state() === "first true 2 0", state());
  responses[1]?.("second");
  await pass(50);
  expect(state() === "second false 2 0", state());
  await act(async () => root?.unmount());
}

// A subscription that was skipped for a while goes on after its last event.
export async function positions(): Promise<void> {
  const sent: unknown[] = [];
  const server: typeof fetch = async (_, init) => {
    const { extensions } = JSON.parse(String(init?.body)) as { extensions?: { position: string } };
    const position = Number(extensions?.position ?? 1);
    sent.push(extensions?.position);
    const change = { __typename: "ItemChanged", item: { __typename: "Item", id: "1", name: String(position + 1) } };
    const event = `id: ${position + 1}\nevent: next\ndata: ${JSON.stringify({ data: { familyChanged: change } })}\n\n`;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode(`id: ${position}\n\n${event}`));
        init?.signal?.addEventListener("abort", () => controller.error(init.signal?.reason));
      },
    });
    return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
  };
  const client = new HearthClient("http://server.test/graphql", { fetch: server });
  const names: string[] = [];
  let restart = () => {};
  let restartsAt = "";
  function Changes({ skip, position }: { skip: boolean; position?: string }): null {
    const live = useSubscription(FamilyChangedDocument, {}, {
      skip,
      ...(position === undefined ? {} : { position }),
      onEvent: ({ familyChanged }) => {
        if (familyChanged.__typename !== "ItemChanged") return;
        names.push(familyChanged.item.name);
        if (familyChanged.item.name === restartsAt) restart();
      },
    });
    restart = live.restart;
    return null;
  }
  const page = (skip: boolean, position?: string) => createElement(
    HearthProvider, { client }, createElement(Changes, position === undefined ? { skip } : { skip, position }),
  );
  let root: ReturnType<typeof create> | undefined;
  const show = async (skip: boolean, position?: string) => {
    await act(async () => root?.update(page(skip, position)));
    await pass(50);
  };
  await act(async () => { root = create(page(false, "5")); });
  await pass(50);
  await show(true, "5");
  await show(false, "5");
  expect(names.join() === "6,7" && sent.join() === "5,6", [names, sent]);
  await act(async () => restart());
  await pass(50);
  await show(true, "5");
  await show(false, "5");
  expect(names.join() === "6,7,2,3" && sent.join() === "5,6,,2", [names, sent]);
  // The position of the event during which it was restarted is reported after that.
  restartsAt = "4";
  await show(true, "5");
  await show(false, "5");
  expect(names.join() === "6,7,2,3,4,2" && sent.join() === "5,6,,2,3,", [names, sent]);
  // Without a stored position, what is shown is loaded when it begins.
  await show(true);
  await show(false);
  expect(names.join() === "6,7,2,3,4,2,2" && sent.join() === "5,6,,2,3,,", [names, sent]);
  await act(async () => root?.unmount());
}

// Another person has signed in in another tab: what the components show is signed out.
export async function replacement(): Promise<void> {
  const stored = { accessToken: "other", refreshToken: "other", renewalKey: "other" };
  const tokens = new Set<string | null>();
  const server: typeof fetch = async (_, init) => {
    tokens.add(tokenOf(init));
    if (new Headers(init?.headers).get("Accept") === "text/event-stream") return stream("id: 1\n\n", init?.signal);
    return json(rejection(tokenOf(init) === null ? "UNAUTHENTICATED" : "TOKEN_EXPIRED"));
  };
  let replaced = 0;
  const client = new HearthClient("http://server.test/graphql", {
    credentials: { accessToken: "first", refreshToken: "first" }, fetch: server,
    storedCredentials: () => stored, onReplaced: () => { replaced += 1; },
  });
  let shown: unknown[] = [];
  let add = (): Promise<unknown> => Promise.resolve();
  function Family({ skip }: { skip: boolean }): null {
    const query = useQuery(ViewerDocument, {}, { skip });
    const live = useSubscription(FamilyChangedDocument);
    const [addItem, added] = useMutation(AddItemDocument);
    add = () => addItem({ input: { name: "Tent" } }).catch(() => {});
    shown = [query.error?.reason, live.error?.reason, live.isActive, live.isConnected, added.error?.reason];
    return null;
  }
  const page = (skip: boolean) => createElement(HearthProvider, { client }, createElement(Family, { skip }));
  let root: ReturnType<typeof create> | undefined;
  await act(async () => { root = create(page(true)); });
  await pass(50);
  expect(shown.join() === ",,true,true,", shown);
  await act(async () => root?.update(page(false)));
  await pass(50);
  await act(async () => { await add(); });
  await pass(50);
  expect(shown.join() === "signedOut,signedOut,false,false,signedOut" && replaced === 1, [shown, replaced]);
  expect([...tokens].join() === "Bearer first,", [...tokens]);
  await act(async () => root?.unmount());
}
