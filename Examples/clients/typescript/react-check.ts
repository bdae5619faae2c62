// What an app with React does, against a running server with demo data:
//
//     node build/react-check.js http://127.0.0.1:8080/graphql
//
// It prints "ok", or what was not as expected.

import { createElement } from "react";
import { act, create } from "react-test-renderer";
import {
  AddChildDocument,
  AddItemDocument,
  DashboardDocument,
  FamilyChangedDocument,
  HearthClient,
  SignInDocument,
} from "./hearth.js";
import { HearthProvider, useMutation, useQuery, useSubscription } from "./hearth-react.js";
import { positions, reloads, replacement } from "./react-order-check.js";

function expect(condition: boolean, what: unknown = ""): asserts condition {
  if (!condition) throw new Error(`Not as expected: ${JSON.stringify(what)}`);
}

/** What the component showed, and what it can do, in each rendering. */
interface Shown {
  names: string[] | undefined;
  chores: number | undefined;
  isLoading: boolean;
  isActive: boolean;
  isConnected: boolean;
  error: string | undefined;
  last: string | undefined;
  added: boolean;
  add: (name: string) => Promise<unknown>;
}

const rendered: Shown[] = [];
const events: string[] = [];
let begun = 0;

function Family({ chores, skip }: { chores: number; skip: boolean }): null {
  const query = useQuery(DashboardDocument, { chores }, { skip });
  const live = useSubscription(FamilyChangedDocument, {}, {
    skip,
    onBegin: () => { begun += 1; },
    onEvent: ({ familyChanged }) => {
      if (familyChanged.__typename === "ItemChanged") events.push(familyChanged.item.name);
      query.reload();
    },
  });
  const [add, state] = useMutation(AddItemDocument);
  const changed = live.data?.familyChanged;
  rendered.push({
    names: query.data?.family?.children.map(({ name }) => name),
    chores: query.data?.family?.children[0]?.assignedChores.nodes.length,
    isLoading: query.isLoading,
    isActive: live.isActive,
    isConnected: live.isConnected,
    error: (query.error ?? live.error)?.codes.join(),
    last: changed?.__typename === "ItemChanged" ? changed.item.name : undefined,
    added: state.data?.addItem.item !== undefined && !state.isRunning,
    add: (name) => add({ input: { name } }),
  });
  // @ts-expect-error A mutation is not a query.
  if (chores < 0) useQuery(AddChildDocument);
  return null;
}

/** Those that the client has opened. */
const sockets: WebSocket[] = [];
globalThis.WebSocket = class extends WebSocket {
  constructor(url: string | URL, protocols?: string | string[]) {
    super(url, protocols);
    sockets.push(this);
  }
};

const latest = () => rendered[rendered.length - 1]!;

/** Waits, rendering what changes, until the last rendering is as wanted. */
async function until(what: string, isReached: () => boolean): Promise<void> {
  for (const end = Date.now() + 60_000; !isReached();) {
    if (Date.now() > end) throw new Error(`Not reached: ${what}, but ${JSON.stringify(latest())}`);
    await act(async () => { await new Promise((resume) => setTimeout(resume, 10)); });
  }
}

async function check(endpoint: string): Promise<void> {
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
  const client = new HearthClient(endpoint, { live: "webSocket" });
  const page = (chores: number, skip: boolean) =>
    createElement(HearthProvider, { client }, createElement(Family, { chores, skip }));
  let root: ReturnType<typeof create> | undefined;
  await act(async () => { root = create(page(1, true)); });
  if (!root) throw new Error("Nothing was rendered.");
  const { update, unmount } = root;
  expect(rendered.length > 0 && !latest().isLoading && latest().names === undefined, latest());

  // Errors are shown, and are over when the query succeeds.
  await act(async () => update(page(1, false)));
  await until("rejected", () => latest().error?.includes("UNAUTHENTICATED") === true && !latest().isActive);
  const { signIn } = await client.mutate(SignInDocument, { input: { email: "ada@example.com", password: "hearth-demo" } });
  client.use(signIn.credentials);
  await act(async () => update(page(1, true)));
  await act(async () => update(page(1, false)));
  await until("the family", () => latest().names?.[0] === "Mia" && latest().error === undefined);
  await until("the subscription", () => latest().isActive && latest().isConnected && begun > 0);
  expect(latest().chores === 1, latest());
  // The rejected subscription can have begun once more with the new tokens, before it was skipped.
  const first = begun;

  // Other values of the variables load the query again; equal ones do not. The data stays meanwhile.
  const before = rendered.length;
  await act(async () => update(page(2, false)));
  await until("two chores", () => latest().chores === 2 && !latest().isLoading);
  const during = rendered.slice(before);
  expect(during.every(({ names }) => names !== undefined) && during.some(({ isLoading }) => isLoading), during);
  const count = rendered.length;
  await act(async () => update(page(2, false)));
  expect(rendered.slice(count).every(({ isLoading }) => !isLoading), rendered.slice(count));

  // A broken connection is made again, and the subscription goes on.
  const whole = rendered.length;
  sockets[sockets.length - 1]?.close();
  await until("the interruption", () => rendered.slice(whole).some(({ isActive, isConnected }) => isActive && !isConnected));
  await until("the connection", () => latest().isActive && latest().isConnected);

  // An event that a mutation causes. The subscription stays the same over all renderings.
  await act(async () => { await latest().add("Tent"); });
  await act(async () => { await latest().add("Stove"); });
  await until("two events", () => latest().last === "Stove" && latest().added && !latest().isLoading);
  expect(events.join() === "Tent,Stove" && begun === first, [events, begun, first]);

  await act(async () => unmount());
  const last = rendered.length;
  await client.mutate(AddItemDocument, { input: { name: "Unseen" } });
  await act(async () => { await new Promise((resume) => setTimeout(resume, 100)); });
  expect(rendered.length === last && events.length === 2, events);

  await reloads();
  await positions();
  await replacement();
}

check(process.argv[2] ?? "").then(() => console.log("ok"), (error: unknown) => {
  console.log(error);
  // An open connection would keep the program running.
  process.exit(1);
});
