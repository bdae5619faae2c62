// The client. Nothing below this line depends on the documents.

declare const idType: unique symbol;
declare const operationTypes: unique symbol;

/** An id of an object of the given type. It is not accepted where another type's id belongs; plain strings are. */
export type ID<Type extends string = any> = string & { readonly [idType]?: Type };

/** A value that the server sends: one that was known when this file was generated, or one that was added later. */
export type Open<Value extends string> = Value | (string & {});

/** The text of an operation, with the types of its variables and its data. At run time it is a plain string. */
export type TypedDocument<Kind extends "query" | "mutation" | "subscription", Data, Variables> = string & {
  readonly [operationTypes]: { kind: Kind; data: Data; variables: Variables };
};

/** The data of an operation: `DataOf<typeof DashboardDocument>`. */
export type DataOf<Document> =
  Document extends { readonly [operationTypes]: { data: infer Data } } ? Data : never;

/** The variables of an operation. */
export type VariablesOf<Document> =
  Document extends { readonly [operationTypes]: { variables: infer Variables } } ? Variables : never;

/** The tokens of a session. Pass them to the next client, for example after the page was loaded again. */
export interface Credentials {
  readonly accessToken: string;
  /** Can be used once. */
  readonly refreshToken: string;
}

/** An entry of a response's `errors`. */
export interface GraphQLError {
  readonly message: string;
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly path?: readonly (string | number)[];
  readonly extensions?: { readonly code?: string; readonly [key: string]: unknown };
}

/** A complete response, which can contain both data and errors. */
export interface GraphQLResponse<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly GraphQLError[];
  readonly extensions?: { readonly position?: string; readonly [key: string]: unknown };
}

/**
 * Why there is no data:
 * - `unreachable`: The server could not be reached, or the connection broke.
 * - `notGraphQL`: The response is not a GraphQL response, but for example that of a proxy.
 * - `failed`: The response contains errors.
 * - `signedOut`: There is no session, or it has ended.
 */
export type HearthErrorReason = "unreachable" | "notGraphQL" | "failed" | "signedOut";

export class HearthError extends Error {
  readonly reason: HearthErrorReason;
  readonly errors: readonly GraphQLError[];
  /** The HTTP status, or 0 without a response. */
  readonly status: number;

  constructor(reason: HearthErrorReason, message: string, status = 0, errors: readonly GraphQLError[] = []) {
    super(message);
    this.name = "HearthError";
    this.reason = reason;
    this.errors = errors;
    this.status = status;
  }

  /** The stable codes of the response's errors. */
  get codes(): string[] {
    return codesOf({ errors: this.errors });
  }
}

export interface ClientOptions {
  /** The stored credentials of an earlier session. */
  credentials?: Credentials | null | undefined;
  /** Called with new credentials, which the app must store, and with null when the session has ended. */
  onCredentials?: (credentials: Credentials | null) => void;
  /** Sent with each request. */
  headers?: Record<string, string>;
  /** How often a request is repeated that got no response. By default 3. */
  retries?: number;
  /**
   * Whether mutations are repeated too. They are sent with the same `Idempotency-Key`, so that a server that supports
   * it performs them once. Set it to false for a server that does not.
   */
  retriesMutations?: boolean;
  /** Replaces the global `fetch`, for example in tests. */
  fetch?: typeof fetch;
}

export interface RequestOptions {
  /** Cancels the request. The promise is then rejected with the signal's reason. */
  signal?: AbortSignal;
}

export interface MutationOptions extends RequestOptions {
  /**
   * Requests with the same key are performed once. By default each call has a key of its own. Pass one that you have
   * stored to repeat a mutation after the page was loaded again.
   */
  idempotencyKey?: string;
}

export interface SubscriptionOptions extends RequestOptions {
  /** The position after which the subscription begins, from `onPosition` of an earlier one. */
  position?: string;
  /** Called when the subscription has begun and after each event, with the position to resume from. */
  onPosition?: (position: string) => void;
  /** Called when the subscription has begun for the first time: load what is shown then, and no change is missed. */
  onBegin?: () => void;
}

type Arguments<Variables, Options> = {} extends Variables
  ? [variables?: Variables, options?: Options]
  : [variables: Variables, options?: Options];

interface Payload {
  readonly query: string;
  readonly variables: unknown;
  readonly extensions?: { position: string };
}

const renewalDocument = `mutation RefreshSession($refreshToken: String!) {
  refreshSession(refreshToken: $refreshToken) { credentials { accessToken refreshToken } }
}`;

/** Consecutive renewals: a device that was asleep can find a token expired that it has just received. */
const maximumRenewals = 3;

/** A client of a Hearth server: queries, mutations with files, subscriptions, and the session. */
export class HearthClient {
  readonly endpoint: string;
  #credentials: Credentials | null;
  #renewal: Promise<Credentials | null> | null = null;
  readonly #options: ClientOptions;

  /** @param endpoint The URL of the endpoint, such as `https://family.example/graphql`. */
  constructor(endpoint: string, options: ClientOptions = {}) {
    this.endpoint = endpoint;
    this.#credentials = options.credentials ?? null;
    this.#options = options;
  }

  get credentials(): Credentials | null {
    return this.#credentials;
  }

  /** Sets the credentials after a sign-in, or null after a sign-out. */
  use(credentials: Credentials | null): void {
    this.#credentials = credentials && {
      accessToken: credentials.accessToken,
      refreshToken: credentials.refreshToken,
    };
    this.#options.onCredentials?.(this.#credentials);
  }

  /** The data of a query. Throws `HearthError`. */
  async query<Data, Variables>(
    document: TypedDocument<"query", Data, Variables>,
    ...[variables, options]: Arguments<Variables, RequestOptions>
  ): Promise<Data> {
    return dataOf(await this.#response<Data>({ query: document, variables }, {}, true, options?.signal));
  }

  /** The data of a mutation. Throws `HearthError`; errors of the input are in `userErrors`. */
  async mutate<Data, Variables>(
    document: TypedDocument<"mutation", Data, Variables>,
    ...[variables, options]: Arguments<Variables, MutationOptions>
  ): Promise<Data> {
    const headers = { "Idempotency-Key": options?.idempotencyKey ?? randomKey() };
    const canRepeat = this.#options.retriesMutations ?? true;
    return dataOf(await this.#response<Data>({ query: document, variables }, headers, canRepeat, options?.signal));
  }

  /** The complete response to a query, which can contain both data and errors. */
  response<Data, Variables>(
    document: TypedDocument<"query", Data, Variables>,
    ...[variables, options]: Arguments<Variables, RequestOptions>
  ): Promise<GraphQLResponse<Data>> {
    return this.#response<Data>({ query: document, variables }, {}, true, options?.signal);
  }

  /**
   * The events of a subscription. It connects when it is iterated, reconnects when the connection breaks, and resumes
   * after the last event that it received, through a restart of the server too. It ends when the server completes it,
   * when the loop is left, or when the signal is aborted. It throws if reconnecting would not help; with the code
   * `FEED_GAP` the missed events are no longer kept: subscribe without a position and load everything again.
   */
  async *subscribe<Data, Variables>(
    document: TypedDocument<"subscription", Data, Variables>,
    ...[variables, options]: Arguments<Variables, SubscriptionOptions>
  ): AsyncGenerator<Data, void, undefined> {
    const signal = options?.signal;
    let position = options?.position;
    let hasBegun = false;
    let attempts = 0;
    let renewals = 0;
    const moveTo = (next: string) => {
      position = next;
      options?.onPosition?.(next);
    };
    while (!signal?.aborted) {
      const credentials = this.#credentials;
      const payload: Payload = {
        query: document,
        variables,
        ...(position === undefined ? {} : { extensions: { position } }),
      };
      let delay: number | undefined;
      let mustRenew = false;
      try {
        for await (const event of this.#events(payload, credentials, signal)) {
          delay = event.retry ?? delay;
          if (!hasBegun && (event.id !== undefined || event.name === "next")) {
            hasBegun = true;
            options?.onBegin?.();
          }
          if (event.name === "complete") return;
          if (event.name !== "next") {
            // Without an event, the server sends the position at which the subscription begins.
            if (event.id !== undefined && position === undefined) moveTo(event.id);
            continue;
          }
          const response = JSON.parse(event.data) as GraphQLResponse<Data>;
          if (isExpired(response) && !response.data && credentials && renewals < maximumRenewals) {
            mustRenew = true;
            break;
          }
          const data = dataOf(response);
          attempts = 0;
          renewals = 0;
          yield data;
          // Only now the event has been handled: a loop that is left here gets it again.
          const next = event.id ?? response.extensions?.position;
          if (next !== undefined) moveTo(next);
        }
        if (mustRenew && credentials) {
          renewals += 1;
          if (await this.#renew(credentials)) continue;
        }
      } catch (error) {
        if (signal?.aborted) return;
        if (!(error instanceof HearthError) || !isTemporary(error)) throw error;
      }
      await pause(delay ?? backoff(attempts), signal);
      attempts += 1;
    }
  }

  // Requests

  async #response<Data>(
    payload: Payload,
    headers: Record<string, string>,
    canRepeat: boolean,
    signal: AbortSignal | undefined,
  ): Promise<GraphQLResponse<Data>> {
    let credentials = this.#credentials;
    let response = await this.#repeat<Data>(payload, headers, credentials, canRepeat, signal);
    for (let renewals = 0; renewals < maximumRenewals && credentials && isExpired(response); renewals += 1) {
      credentials = await this.#renew(credentials);
      if (!credentials) break;
      response = await this.#repeat<Data>(payload, headers, credentials, canRepeat, signal);
    }
    return response;
  }

  async #repeat<Data>(
    payload: Payload,
    headers: Record<string, string>,
    credentials: Credentials | null,
    canRepeat: boolean,
    signal: AbortSignal | undefined,
  ): Promise<GraphQLResponse<Data>> {
    const retries = canRepeat ? (this.#options.retries ?? 3) : 0;
    for (let attempt = 0; ; attempt += 1) {
      try {
        const accept = "application/graphql-response+json, application/json";
        const response = await this.#send(payload, headers, credentials, accept, signal);
        return await decode<Data>(response, signal);
      } catch (error) {
        if (attempt >= retries || !(error instanceof HearthError) || !isTemporary(error)) throw error;
        await pause(backoff(attempt), signal);
        signal?.throwIfAborted();
      }
    }
  }

  async #send(
    payload: Payload,
    headers: Record<string, string>,
    credentials: Credentials | null,
    accept: string,
    signal: AbortSignal | undefined,
  ): Promise<Response> {
    const { body, headers: own } = bodyOf(payload);
    const all: Record<string, string> = { ...this.#options.headers, ...headers, ...own, Accept: accept };
    if (credentials) all["Authorization"] = `Bearer ${credentials.accessToken}`;
    try {
      const send = this.#options.fetch ?? fetch;
      return await send(this.endpoint, { method: "POST", headers: all, body, signal: signal ?? null });
    } catch (error) {
      throw signal?.aborted ? signal.reason : unreachable(error);
    }
  }

  /** If several requests find the access token expired, it is renewed once: a refresh token can be used once. */
  #renew(expired: Credentials): Promise<Credentials | null> {
    if (this.#renewal) return this.#renewal;
    if (this.#credentials !== expired) return Promise.resolve(this.#credentials);
    this.#renewal = this.#refresh(expired).finally(() => {
      this.#renewal = null;
    });
    return this.#renewal;
  }

  async #refresh(expired: Credentials): Promise<Credentials | null> {
    const payload = { query: renewalDocument, variables: { refreshToken: expired.refreshToken } };
    // A repeated renewal would use the refresh token twice, unless the server knows the key.
    const headers = { "Idempotency-Key": randomKey() };
    const canRepeat = this.#options.retriesMutations ?? true;
    const response = await this.#repeat<{ refreshSession: { credentials: Credentials | null } }>(
      payload, headers, null, canRepeat, undefined,
    );
    // Rejected credentials are not a failure: the session has ended. The credentials may also have been replaced by a
    // sign-in in the meantime.
    if (this.#credentials === expired) this.use(response.data?.refreshSession.credentials ?? null);
    return this.#credentials;
  }

  // Server-sent events

  async *#events(
    payload: Payload,
    credentials: Credentials | null,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<ServerSentEvent, void, undefined> {
    const connection = new AbortController();
    const abort = () => connection.abort();
    signal?.addEventListener("abort", abort);
    // The server sends heartbeats more often than this. A connection without them is lost, even if nobody said so.
    const silence = 120_000;
    let timer = setTimeout(abort, silence);
    try {
      const response = await this.#send(payload, {}, credentials, "text/event-stream", connection.signal)
        .catch((error: unknown) => { throw error instanceof HearthError ? error : unreachable(error); });
      if (!response.headers.get("Content-Type")?.startsWith("text/event-stream") || !response.body) {
        throw notGraphQL(response);
      }
      const reader = response.body.getReader();
      const decoder = new TextDecoder();
      const parser = new EventParser();
      for (;;) {
        const part = await reader.read().catch((error: unknown) => { throw unreachable(error); });
        clearTimeout(timer);
        if (part.done) return;
        timer = setTimeout(abort, silence);
        yield* parser.receive(decoder.decode(part.value, { stream: true }));
      }
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      abort();
    }
  }
}

interface ServerSentEvent {
  name: string;
  data: string;
  id?: string;
  retry?: number;
}

/** An incremental parser of `text/event-stream` (HTML, section 9.2.6), however the text is split. */
class EventParser {
  #rest = "";
  #event: ServerSentEvent | null = null;

  *receive(text: string): Generator<ServerSentEvent, void, undefined> {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      const field = line.endsWith("\r") ? line.slice(0, -1) : line;
      if (field !== "") {
        this.#read(field);
      } else if (this.#event) {
        yield this.#event;
        this.#event = null;
      }
    }
  }

  #read(line: string): void {
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    // A comment, such as a heartbeat.
    if (name === "") return;
    const event = (this.#event ??= { name: "", data: "" });
    if (name === "event") event.name = value;
    else if (name === "id") event.id = value;
    else if (name === "data") event.data += (event.data === "" ? "" : "\n") + value;
    else if (name === "retry" && /^\d+$/.test(value)) event.retry = Number(value);
  }
}

/** JSON, or with files a form as specified by the GraphQL multipart request specification. */
function bodyOf(payload: Payload): { body: string | FormData; headers: Record<string, string> } {
  const files: { path: string; file: Blob }[] = [];
  const variables = withoutFiles(payload.variables, "variables", files);
  const json = JSON.stringify({ ...payload, variables });
  if (files.length === 0) return { body: json, headers: { "Content-Type": "application/json" } };
  const form = new FormData();
  form.append("operations", json);
  form.append("map", JSON.stringify(Object.fromEntries(files.map(({ path }, index) => [String(index), [path]]))));
  files.forEach(({ file }, index) => form.append(String(index), file));
  // Any web page can send forms, but not with this header.
  return { body: form, headers: { "GraphQL-Require-Preflight": "1" } };
}

function withoutFiles(value: unknown, path: string, files: { path: string; file: Blob }[]): unknown {
  if (value instanceof Blob) {
    files.push({ path, file: value });
    return null;
  }
  if (Array.isArray(value)) return value.map((item, index) => withoutFiles(item, `${path}.${index}`, files));
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, withoutFiles(field, `${path}.${key}`, files)]),
  );
}

async function decode<Data>(response: Response, signal: AbortSignal | undefined): Promise<GraphQLResponse<Data>> {
  if (!response.headers.get("Content-Type")?.includes("json")) throw notGraphQL(response);
  try {
    const text = await response.text();
    const decoded = JSON.parse(text) as GraphQLResponse<Data>;
    if (decoded.data !== undefined || decoded.errors !== undefined) return decoded;
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (!(error instanceof SyntaxError)) throw unreachable(error);
  }
  throw notGraphQL(response);
}

/** The data; throws if the response contains any error. */
function dataOf<Data>(response: GraphQLResponse<Data>): Data {
  const errors = response.errors ?? [];
  if (errors.length === 0 && response.data !== undefined && response.data !== null) return response.data;
  const ended = ["UNAUTHENTICATED", "TOKEN_EXPIRED", "TOKEN_REVOKED", "TOKEN_MALFORMED", "SESSION_ENDED"];
  const reason = codesOf(response).some((code) => ended.includes(code)) ? "signedOut" : "failed";
  const message = errors.map((error) => error.message).join("\n") || "The response has no data.";
  throw new HearthError(reason, message, 0, errors);
}

function codesOf(response: { readonly errors?: readonly GraphQLError[] }): string[] {
  return (response.errors ?? []).map((error) => error.extensions?.code ?? "");
}

function isExpired(response: { readonly errors?: readonly GraphQLError[] }): boolean {
  return codesOf(response).includes("TOKEN_EXPIRED");
}

function unreachable(error: unknown): HearthError {
  return new HearthError("unreachable", `The server could not be reached: ${String(error)}`);
}

function notGraphQL(response: Response): HearthError {
  const message = `The response is not a GraphQL response (status ${response.status}).`;
  return new HearthError("notGraphQL", message, response.status);
}

/** A proxy's server error can be temporary; an error about the request itself is permanent. */
function isTemporary(error: HearthError): boolean {
  return error.reason === "unreachable"
    || error.reason === "notGraphQL" && (error.status === 429 || error.status >= 500);
}

/** Exponential, with jitter, so that the clients of a restarted server do not return all at once. */
function backoff(attempts: number): number {
  return 250 * 2 ** Math.min(attempts, 7) * (0.5 + Math.random() / 2);
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener("abort", end);
  });
}

/** 128 random bits. (`crypto.randomUUID` is missing in pages that were not loaded by HTTPS.) */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
