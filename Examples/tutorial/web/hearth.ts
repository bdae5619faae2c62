// A client for Hearth on nothing but fetch: requests, renewal of tokens, and events that resume.

// `use` adds the idempotency key with which these tokens are renewed.
export interface Credentials { accessToken: string; refreshToken: string; renewalKey?: string }
export interface UserError { field: string[]; code: string; message: string }
type Response = { data?: any; errors?: { message: string; extensions?: { code?: string } }[] };

// Errors of a server that cannot be reached (UNREACHABLE, of this client), is not available at the moment, or cannot
// renew tokens because it is read-only or still renews them. After EVENTS_TOO_FAST, a subscription resumes like after a
// lost connection.
const passing = [
  "UNREACHABLE", "STORAGE_UNAVAILABLE", "OVERLOADED", "TOO_MANY_CONNECTIONS", "RATE_LIMITED", "EVENTS_TOO_FAST",
  "READ_ONLY", "IDEMPOTENT_REQUEST_RUNNING",
];
// The session has ended, or this server does not know it. After the last two, a renewal cannot be repeated any more.
const ended = [
  "SIGNED_OUT", "UNAUTHENTICATED", "TOKEN_REVOKED", "TOKEN_MALFORMED", "SESSION_ENDED",
  "RESPONSE_NOT_KEPT", "IDEMPOTENCY_KEY_REUSED",
];

export class HearthError extends Error {
  code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export class Hearth {
  endpoint: string;
  credentials: Credentials | null;
  // Is called with each new pair of tokens, to store them; with null when the session has ended.
  store: (credentials: Credentials | null) => void;
  // The number of sign-ins and sign-outs. Renewals do not count.
  #turn = 0;
  #renewal: { token: string; done: Promise<void> } | null = null;
  // Of subscriptions.
  #connections = new Set<AbortController>();

  constructor(endpoint: string, credentials: Credentials | null = null, store = (_: Credentials | null) => {}) {
    this.endpoint = endpoint;
    this.credentials = credentials;
    this.store = store;
  }

  use(credentials: Credentials | null) {
    this.#turn += 1;
    this.#keep(credentials);
    for (const connection of this.#connections) connection.abort();
  }

  #keep(credentials: Credentials | null) {
    this.credentials = credentials && { ...credentials, renewalKey: randomKey() };
    this.store(this.credentials);
  }

  async request(query: string, variables: object = {}): Promise<any> {
    const turn = this.#turn;
    const send = async () => bodyOf(await this.#send({ query, variables }, "application/json"));
    let response = await send();
    if (codeOf(response) === "TOKEN_EXPIRED") {
      if (turn === this.#turn) await this.#renew();
      // Sent again, it would be executed as the member who has signed in since.
      if (turn !== this.#turn) throw signedOut();
      response = await send();
    }
    return dataOf(response);
  }

  // The events of a subscription, over as many connections as it takes. Calls `onBegin` when the subscription has
  // begun: load what is shown then, and no change is missed. Ends when the server completes it. Throws when connecting
  // again would not help: FEED_GAP when the missed events are no longer kept, and RIGHTS_CHANGED when the member
  // belongs to another family now (subscribe and load again); others mostly when the session has ended (sign in again).
  // After `use` it begins again with the new credentials.
  async *subscribe(query: string, variables: object = {}, onBegin = async () => {}): AsyncGenerator<any> {
    let turn = this.#turn;
    let position: string | undefined;
    let delay = 250;
    for (;;) {
      if (turn !== this.#turn) {
        if (!this.credentials) throw signedOut();
        turn = this.#turn;
        // It is that of the previous member.
        position = undefined;
      }
      const connected = Date.now();
      try {
        const extensions = position ? { position } : {};
        for await (const event of this.#events({ query, variables, extensions })) {
          if (event.name === "complete") return;
          if (turn !== this.#turn) break;
          if (event.name === "next") {
            const response = JSON.parse(event.data) as Response;
            if (codeOf(response) === "TOKEN_EXPIRED") {
              // Whatever else fails can succeed later.
              await this.#renew().catch((error) => { if (hasEnded(error)) throw error; });
              break;
            }
            const data = dataOf(response);
            delay = 250;
            position = event.id ?? position;
            yield data;
          } else if (event.id && !position) {
            // Where the subscription begins.
            position = event.id;
            await onBegin();
          }
        }
      } catch (error) {
        if (!isTemporary(error)) throw error;
      }
      // In a family without events, too, a connection that has lasted was a good one.
      if (Date.now() - connected > 10_000) delay = 250;
      await new Promise((resume) => setTimeout(resume, delay));
      delay = Math.min(delay * 2, 15_000);
    }
  }

  #send(body: object, accept: string, signal: AbortSignal | null = null) {
    const headers: Record<string, string> = { "Content-Type": "application/json", Accept: accept };
    if (this.credentials) headers.Authorization = `Bearer ${this.credentials.accessToken}`;
    return received(fetch(this.endpoint, { method: "POST", headers, body: JSON.stringify(body), signal }));
  }

  // A refresh token works once, so all requests that find the access token expired share one renewal.
  async #renew() {
    if (!this.credentials) throw signedOut();
    const token = this.credentials.refreshToken;
    if (this.#renewal?.token !== token) {
      const end = () => { if (this.#renewal?.token === token) this.#renewal = null; };
      this.#renewal = { token, done: this.#refresh(this.credentials).finally(end) };
    }
    return this.#renewal.done;
  }

  // A renewal whose response was lost is repeated with the same key: without it, this counts as theft of the token.
  async #refresh({ refreshToken, renewalKey }: Credentials) {
    const extensions = { idempotencyKey: renewalKey };
    const query = `mutation ($refreshToken: String!) {
      refreshSession(refreshToken: $refreshToken) { credentials { accessToken refreshToken } }
    }`;
    const response = await this.#send({ query, variables: { refreshToken }, extensions }, "application/json");
    const { credentials } = dataOf(await bodyOf(response)).refreshSession;
    // Somebody else may have signed in meanwhile.
    if (this.credentials?.refreshToken === refreshToken) this.#keep(credentials);
    if (!this.credentials) throw signedOut();
  }

  // Server-sent events: lines of `name: value`, and an empty line after each event. The server sends a comment at least
  // every 15 seconds. A connection that is silent for a minute is lost, even if nothing has closed it.
  async *#events(body: object): AsyncGenerator<{ name: string; id?: string; data: string }> {
    const connection = new AbortController();
    this.#connections.add(connection);
    const watch = () => setTimeout(() => connection.abort(), 60_000);
    let silence = watch();
    try {
      const response = await this.#send(body, "text/event-stream", connection.signal);
      // Not `for await`: some versions of Safari cannot iterate streams.
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      for (;;) {
        const { done, value } = await received(reader.read());
        if (done) break;
        clearTimeout(silence);
        silence = watch();
        text += value;
        const blocks = text.split("\n\n");
        text = blocks.pop()!;
        for (const block of blocks) {
          const fields = block.split("\n").map((line) => [line.split(":", 1)[0], line.replace(/^[^:]*: ?/, "")]);
          const field = (name: string) => fields.find((each) => each[0] === name)?.[1];
          yield { name: field("event") ?? "", id: field("id"), data: field("data") ?? "" };
        }
      }
    } finally {
      clearTimeout(silence);
      this.#connections.delete(connection);
      // Closes the connection if the subscription ends before it.
      connection.abort();
    }
  }
}

// Whether the same can succeed later. Errors of the program, such as a TypeError, are not temporary.
export function isTemporary(error: unknown) {
  return error instanceof HearthError && passing.includes(error.code);
}

export function hasEnded(error: unknown) {
  return error instanceof HearthError && ended.includes(error.code);
}

// Pages that were not loaded by HTTPS have no `randomUUID`.
const randomKey = () => crypto.getRandomValues(new Uint32Array(4)).join("-");

// What the server sends, or an error that says that it cannot be reached.
async function received<Result>(work: Promise<Result>): Promise<Result> {
  try { return await work; } catch { throw unreachable(); }
}

// The body of a response is JSON with `data` or `errors`. Anything else is from a proxy.
async function bodyOf(response: globalThis.Response): Promise<Response> {
  const body = await received(response.json());
  if (!body?.data && !body?.errors) throw unreachable();
  return body;
}

const unreachable = () => new HearthError("UNREACHABLE", "The server cannot be reached.");
const signedOut = () => new HearthError("SIGNED_OUT", "The session has ended: sign in again.");

function codeOf(response: Response) {
  return response.errors?.[0]?.extensions?.code;
}

function dataOf(response: Response) {
  const error = response.errors?.[0];
  if (error) throw new HearthError(error.extensions?.code ?? "UNKNOWN", error.message);
  return response.data;
}
