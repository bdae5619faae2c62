// The session of the signed-in user. The credentials are stored for this tab only (sessionStorage) and end with it.

import { send } from "./transport.js";

const key = "hearth.session";
// Renewed this long (ms) before it expires, so that it does not expire during a request.
const margin = 10_000;

/** The error codes of an ended session. */
const endings = new Set(["TOKEN_REVOKED", "SESSION_ENDED", "TOKEN_MALFORMED"]);

const credentials = `credentials {
    accessToken expiresAt refreshToken
    viewer {
      __typename
      ... on Account { name email }
      ... on Child { name username }
    }
  }
  userErrors { field message }`;

const mutations = {
  parent: `mutation SignIn($input: SignInInput!) { result: signIn(input: $input) { ${credentials} } }`,
  register: `mutation Register($input: RegisterInput!) { result: register(input: $input) { ${credentials} } }`,
  child: `mutation SignInChild($input: ChildSignInInput!) { result: signInChild(input: $input) { ${credentials} } }`,
  refresh: `mutation RefreshSession($token: String!) { result: refreshSession(refreshToken: $token) { ${credentials} } }`,
  signOut: "mutation SignOut { signOut { __typename } }",
};

/** Sends a "change" event after each sign-in and sign-out. Its `detail` is a message for the user, or empty. */
export class Session extends EventTarget {
  #credentials = restore();
  /** Further people, by their address or username: of this page only, and never stored. */
  #guests = new Map();
  #renewal = null;
  /** A duplicated window has the same refresh token, which can be used once: the windows share the renewed one. */
  #others = new BroadcastChannel("hearth.session");

  constructor() {
    super();
    this.#others.addEventListener("message", ({ data: { used, granted } }) => {
      if (used === this.#credentials?.refreshToken) this.#keep(granted);
    });
  }

  /** The signed-in person, { __typename, name, email or username }, or null. */
  get viewer() { return this.#credentials?.viewer ?? null; }

  /** The access token, renewed shortly before it expires, or null without a session. */
  async token() {
    if (this.#credentials === null) return null;
    if (Date.parse(this.#credentials.expiresAt) - margin < Date.now()) {
      // A refresh token can be used once: concurrent callers share one renewal.
      this.#renewal ??= this.#renew().finally(() => { this.#renewal = null; });
      await this.#renewal;
    }
    return this.#credentials?.accessToken ?? null;
  }

  /** Signs in a "parent" (by e-mail) or a "child" (by username). Returns the errors as [{ field, message }]. */
  async signIn(kind, identifier, password) {
    return this.#begin(mutations[kind], { [kind === "child" ? "username" : "email"]: identifier, password, device: "Playground" });
  }

  /** Creates a parent's account and signs it in. Returns the errors as [{ field, message }]. */
  async register({ name, dateOfBirth, ...input }) {
    return this.#begin(mutations.register, { ...input, name: name.trim() || null, dateOfBirth: dateOfBirth || null });
  }

  /** The people whom a request can be run as, each { id, name }: the one who is signed in, those kept, and those of the demo data. */
  get people() {
    const viewers = [this.viewer, ...[...this.#guests.values()].map(({ viewer }) => viewer)].filter((viewer) => viewer !== null);
    const found = new Map(viewers.map((viewer) => [idOf(viewer), viewer.name]));
    // Children first: a parent is seldom compared with somebody of another family.
    const others = demoPeople().toSorted((one, other) => Number("email" in one) - Number("email" in other));
    for (const person of others) if (!found.has(idOf(person))) found.set(idOf(person), person.label);
    return [...found].map(([id, name]) => ({ id, name }));
  }

  /** The access token of one of the people. One of the demo data is signed in for it. Null if that is not possible. */
  async tokenOf(id) {
    if (this.viewer !== null && idOf(this.viewer) === id) return this.token();
    let guest = this.#guests.get(id);
    if (guest !== undefined && Date.parse(guest.expiresAt) - margin < Date.now()) {
      guest = await renewed(guest);
      if (guest === null) this.#guests.delete(id);
    }
    const person = demoPeople().find((one) => idOf(one) === id);
    if (!guest && person) {
      const { label, ...input } = person;
      guest = (await grant(mutations[person.email ? "parent" : "child"], { input: { ...input, device: "Playground" } })).granted;
    }
    if (!guest) return null;
    this.#guests.set(id, guest);
    return guest.accessToken;
  }

  /** Keeps the session in this page, to run requests as this person too, and shows the form for another one. */
  keepAndSwitch() {
    this.#guests.set(idOf(this.viewer), this.#credentials);
    this.#keep(null);
  }

  async #begin(mutation, input) {
    const { granted, errors } = await grant(mutation, { input });
    if (granted) {
      const former = this.#credentials;
      this.#guests.delete(idOf(granted.viewer));
      this.#keep(granted);
      if (former !== null) await end(former).catch(() => {}); // it would have expired by itself
    }
    return errors;
  }

  async signOut() {
    const former = [this.#credentials, ...this.#guests.values()].filter((one) => one !== null);
    this.#guests.clear();
    this.#keep(null);
    try {
      await Promise.all(former.map(end));
    } catch {
      this.#tell("Signed out in this browser, but the server could not be reached.");
    }
  }

  /** Handles the response of an authenticated request: if the session has ended, its credentials are removed. */
  heard(token, errors) {
    if (token === null || token !== this.#credentials?.accessToken) return;
    if (!Array.isArray(errors) || !errors.some(({ extensions }) => endings.has(extensions?.code))) return;
    this.#keep(null, "Your session has ended. Please sign in again.");
  }

  async #renew() {
    const former = this.#credentials;
    const granted = await renewed(former);
    if (this.#credentials !== former) return; // signed out or in as another meanwhile
    if (granted) this.#others.postMessage({ used: former.refreshToken, granted });
    this.#keep(granted, granted ? "" : "Your session has ended. Please sign in again.");
  }

  #keep(granted, message = "") {
    this.#credentials = granted;
    try {
      if (granted === null) sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, JSON.stringify(granted));
    } catch { /* storage is switched off: signed in until the page is reloaded */ }
    this.#tell(message);
  }

  #tell(detail) { this.dispatchEvent(new CustomEvent("change", { detail })); }
}

async function grant(query, variables) {
  const { status, body } = await send({ query, variables });
  const payload = body?.data?.result;
  const errors = [...(body?.errors ?? []), ...(payload?.userErrors ?? [])];
  const granted = payload?.credentials ?? null;
  if (granted === null && errors.length === 0) errors.push({ message: `The server answered with status ${status}.` });
  return { granted, errors, hasFailed: !payload || body.errors?.length > 0 };
}

/** Renewed credentials, or null if these are rejected. Throws if the server cannot renew any now. */
async function renewed({ refreshToken }) {
  const { granted, errors, hasFailed } = await grant(mutations.refresh, { token: refreshToken });
  if (granted === null && hasFailed) throw new Error(errors[0].message);
  return granted;
}

async function end({ accessToken }) {
  await send({ query: mutations.signOut }, { token: accessToken });
}

const idOf = ({ email, username }) => email ?? username;

/** The people that a server with demo data lists in the head of the page. */
export function demoPeople() {
  const content = document.querySelector('meta[name="hearth-demo"]')?.content;
  return content === undefined ? [] : JSON.parse(content);
}

function restore() {
  try { return JSON.parse(sessionStorage.getItem(key)); } catch { return null; }
}
