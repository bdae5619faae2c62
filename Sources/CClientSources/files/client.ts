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
  /** When the access token expires. With it, an open WebSocket gets a new token in time; without it, it reconnects. */
  readonly expiresAt?: string | undefined;
  /**
   * The idempotency key of the renewal, random, which the client adds before it passes a pair to `onCredentials`. Store
   * it too: a page that was closed during a renewal can then repeat it. Without it, this counts as theft of the token.
   * Its first half stays the same until the next sign-in. Pass it only with the tokens for which it was made.
   */
  readonly renewalKey?: string | undefined;
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
  /** The HTTP status of a response that is not GraphQL, or of a server that is not available. Otherwise 0. */
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

  /** Whether the same request can succeed later: the server could not be reached, or is not available now. */
  get isTemporary(): boolean {
    if (this.reason === "unreachable") return true;
    if (this.reason === "notGraphQL") return this.status === 408 || this.status === 429 || this.status >= 500;
    if (this.reason === "signedOut") return false;
    return this.status === 503 || this.codes.some((code) => temporaryCodes.includes(code));
  }
}

export interface ClientOptions {
  /** The stored credentials of an earlier session. */
  credentials?: Credentials | null | undefined;
  /**
   * Called with new credentials, all of which the app must store, and with null when the session has ended. Not called
   * with a pair that `storedCredentials` has returned, nor by `use(null)` if that is of another sign-in.
   */
  onCredentials?: (credentials: Credentials | null) => void;
  /**
   * Returns what `onCredentials` has stored last. Pass it if several clients share this, such as the tabs of a browser:
   * they renew one after the other, and use what another one has stored. If it returns null after it has returned this
   * client's pair, another one has signed out, and the session ends here too. Without it, the second of them uses the
   * refresh token again, which ends the session.
   */
  storedCredentials?: () => Credentials | null;
  /**
   * Called when another client that shares `storedCredentials` has signed in, with what it has stored. This client has
   * no session then, because the pair can be another person's: requests throw with the reason `signedOut`, and
   * subscriptions end with it. Reload the page, or pass the pair to `use` if it is the same member's.
   */
  onReplaced?: (stored: Credentials) => void;
  /** Sent with each request. */
  headers?: Record<string, string>;
  /**
   * How often a request is repeated that got no response, or that of an unavailable server (503), or that the server
   * is still performing. By default 3.
   */
  retries?: number;
  /**
   * Whether mutations are repeated too. They are sent with the same `Idempotency-Key`, so that a server that supports
   * it performs them once. Set it to false for a server that does not.
   */
  retriesMutations?: boolean;
  /** Replaces the global `fetch`, for example in tests. */
  fetch?: typeof fetch;
  /**
   * How subscriptions are received: by server-sent events over `fetch`, which is the default, or each by a WebSocket
   * of its own (graphql-transport-ws). Browsers open at most six event streams to a server that speaks HTTP/1.1.
   * They do not send `headers` with a WebSocket.
   */
  live?: "eventStream" | "webSocket";
  /** Replaces the global `WebSocket`, which Node has since version 22. */
  webSocket?: new (url: string, protocol: string) => WebSocket;
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
  /**
   * The position after which the subscription begins, from `onPosition` of an earlier one of the same member. Another
   * member would get older events as if they were new, or `FEED_GAP`.
   */
  position?: string;
  /** Called when the subscription has begun and after each event, with the position to resume from. */
  onPosition?: (position: string) => void;
  /**
   * Called when the subscription has begun for the first time, and for the first time after `use`: load what is shown
   * then, and no change is missed.
   */
  onBegin?: () => void;
  /**
   * Called with true when the subscription has begun, and with false when it is interrupted, or cannot begin, and is tried
   * again. Also called with false when a connected subscription ends with an error.
   */
  onConnection?: (isConnected: boolean) => void;
}

/** The arguments after the document. Variables that can all be omitted can be omitted together. */
export type Arguments<Variables, Options> = {} extends Variables
  ? [variables?: Variables, options?: Options]
  : [variables: Variables, options?: Options];

interface Payload {
  readonly query?: string;
  /** The id of a document that the server knows. */
  readonly documentId?: string;
  readonly variables: unknown;
  readonly extensions?: { position: string };
}

/** The current connection of a subscription. */
interface Line { connection: AbortController }

/** Consecutive renewals: a device that was asleep can find a token expired that it has just received. */
const maximumRenewals = 3;

/** A connection that has lasted for so many milliseconds had a valid token. */
const acceptedAfter = 10_000;

/** The milliseconds for which a subscription waits at most because the server's error states it. */
const longestLiveDelay = 300_000;

/** The milliseconds for which a renewal keeps other tabs waiting: they do not see at once what it has stored. */
const storingTime = 100;

/** The milliseconds for which the end of a session waits for a renewal, whose connection can be lost. */
const longestRenewal = 10_000;

/** A client of a Hearth server: queries, mutations with files, subscriptions, and the session. */
export class HearthClient {
  readonly endpoint: string;
  #credentials: Credentials | null;
  /** The number of sign-ins and sign-outs by `use`, and of sign-ins of another client that have ended this session. */
  #turn = 0;
  #renewal: { readonly expired: Credentials; readonly next: Promise<Credentials | null> } | null = null;
  /** Whether this client has found its pair, or an earlier one of its session, stored. */
  #wasStored = false;
  /** The refresh tokens that this client has used since it has found its own pair stored. */
  readonly #used = new Set<string>();
  /** The connections of subscriptions, which receive renewed credentials. */
  readonly #renewed = new Set<RenewalListener>();
  /** Each ends the connection, or the pause, of a subscription, which then connects with the current credentials. */
  readonly #live = new Set<() => void>();
  readonly #options: ClientOptions;

  /** @param endpoint The URL of the endpoint, such as `https://family.example/graphql`. */
  constructor(endpoint: string, options: ClientOptions = {}) {
    this.endpoint = endpoint;
    this.#credentials = withRenewalKey(options.credentials ?? null);
    this.#options = options;
    if (this.#credentials) this.#noteStored(this.#credentials, this.#stored());
  }

  get credentials(): Credentials | null {
    return this.#credentials;
  }

  /**
   * Sets the credentials after a sign-in, or null after a sign-out. Subscriptions connect again with them, without the
   * position of the previous member. A mutation that was sent before, and whose token the server rejects, is not sent
   * again, because it would be executed as the next member: it throws with the reason `signedOut`.
   */
  use(credentials: Credentials | null): void {
    this.#turn += 1;
    const stored = this.#stored();
    // A sign-out leaves what another client has stored by a sign-in of its own.
    const isStored = credentials
      ? !!stored && areOfSameSignIn(stored, credentials)
      : this.#credentials === null || (!!stored && !areOfSameSignIn(stored, this.#credentials));
    this.#adopt(credentials, isStored);
  }

  /** @param isStored A pair that is stored is not written back: the client that stored it can have renewed it since. */
  #adopt(credentials: Credentials | null, isStored = false): void {
    this.#credentials = withRenewalKey(credentials);
    this.#wasStored = isStored;
    this.#used.clear();
    // Events of the previous member are not for the next one.
    for (const end of this.#live) end();
    if (!isStored) this.#report();
  }

  #report(): void {
    guarded(() => this.#options.onCredentials?.(this.#credentials));
    const stored = this.#stored();
    // The app could not store it, or stores it later.
    if (!stored) this.#wasStored = false;
    if (this.#credentials) this.#noteStored(this.#credentials, stored);
  }

  /** Null if nothing is stored, and undefined if that is not known. */
  #stored(): Credentials | null | undefined {
    return guarded(() => this.#options.storedCredentials?.());
  }

  /** Notes that this client's pair is the stored one. Returns false if it is not. */
  #noteStored(own: Credentials, stored: Credentials | null | undefined): boolean {
    if (stored?.refreshToken !== own.refreshToken) return false;
    this.#wasStored = true;
    this.#used.clear();
    return true;
  }

  /** The data of a query. Throws `HearthError`. */
  async query<Data, Variables>(
    document: TypedDocument<"query", Data, Variables>,
    ...[variables, options]: Arguments<Variables, RequestOptions>
  ): Promise<Data> {
    return dataOf(await this.#response<Data>({ [documentMember]: document, variables }, {}, true, options?.signal));
  }

  /** The data of a mutation. Throws `HearthError`; errors of the input are in `userErrors`. */
  async mutate<Data, Variables>(
    document: TypedDocument<"mutation", Data, Variables>,
    ...[variables, options]: Arguments<Variables, MutationOptions>
  ): Promise<Data> {
    const headers = { "Idempotency-Key": options?.idempotencyKey ?? randomKey() };
    const canRepeat = this.#options.retriesMutations ?? true;
    const payload = { [documentMember]: document, variables };
    return dataOf(await this.#response<Data>(payload, headers, canRepeat, options?.signal, this.#turn));
  }

  /** The complete response to a query, which can contain both data and errors. */
  response<Data, Variables>(
    document: TypedDocument<"query", Data, Variables>,
    ...[variables, options]: Arguments<Variables, RequestOptions>
  ): Promise<GraphQLResponse<Data>> {
    return this.#response<Data>({ [documentMember]: document, variables }, {}, true, options?.signal);
  }

  /**
   * The events of a subscription. It connects when it is iterated, reconnects when the connection breaks, and resumes
   * after the last event that it received, through a restart of the server too. It ends when the server completes it,
   * when the loop is left, or when the signal is aborted. While the server cannot be reached, cannot renew the access
   * token, or cannot deliver events at the moment (such as `STORAGE_UNAVAILABLE`), it tries again. After it has been
   * connected, it does so after a response that is not GraphQL too, such as a network's login page. After `use` it
   * begins again with the new credentials, without a position; in a browser it also connects again when the network is
   * back. It throws if reconnecting would not help, with the reason `signedOut` when the session has ended or after
   * `use(null)`. With the code `FEED_GAP` the missed events are no longer kept, with `RIGHTS_CHANGED` the member
   * belongs to another family now, and with `EVENTS_TOO_FAST` the server stated no position to resume from: subscribe
   * without a position and load everything again.
   */
  async *subscribe<Data, Variables>(
    document: TypedDocument<"subscription", Data, Variables>,
    ...[variables, options]: Arguments<Variables, SubscriptionOptions>
  ): AsyncGenerator<Data, void, undefined> {
    const line: Line = { connection: new AbortController() };
    const end = () => line.connection.abort();
    this.#live.add(end);
    options?.signal?.addEventListener("abort", end);
    // The network is back, and is probably another one. Where there is no such event, silence ends the connection.
    globalThis.addEventListener?.("online", end);
    try {
      yield* this.#listen(document, variables, options, line);
    } finally {
      this.#live.delete(end);
      options?.signal?.removeEventListener("abort", end);
      globalThis.removeEventListener?.("online", end);
    }
  }

  async *#listen<Data, Variables>(
    document: TypedDocument<"subscription", Data, Variables>,
    variables: unknown,
    options: SubscriptionOptions | undefined,
    line: Line,
  ): AsyncGenerator<Data, void, undefined> {
    const signal = options?.signal;
    let position = options?.position;
    let turn = this.#turn;
    // The turn in which it has begun last.
    let begun: number | undefined;
    let attempts = 0;
    let renewals = 0;
    let credentials: Credentials | null = null;
    let connected = 0;
    let isConnected: boolean | undefined;
    const report = (next: boolean) => {
      if (next === isConnected) return;
      isConnected = next;
      options?.onConnection?.(next);
    };
    const interrupt = () => {
      // In a family without events, too, a connection that has lasted was a good one.
      if (isConnected && Date.now() - connected > acceptedAfter) attempts = 0;
      report(false);
    };
    const begin = () => {
      report(true);
      if (begun === turn) return;
      begun = turn;
      options?.onBegin?.();
    };
    const moveTo = (next: string) => {
      // The app called `use` while it handled the event: the position is not one of the next member.
      if (turn !== this.#turn) return;
      position = next;
      options?.onPosition?.(next);
    };
    while (!signal?.aborted) {
      const previous = credentials;
      credentials = this.#credentials;
      // Not without credentials: the server's error would be one for developers.
      if (previous && !credentials) throw new HearthError("signedOut", "The session has ended.");
      if (turn !== this.#turn) {
        turn = this.#turn;
        // Families count on their own: the next member would get older events as if they were new, or `FEED_GAP`.
        position = undefined;
      }
      const payload: Payload = {
        [documentMember]: document,
        variables,
        ...(position === undefined ? {} : { extensions: { position } }),
      };
      connected = Date.now();
      let delay: number | undefined;
      let stated = 0;
      let mustRenew = false;
      line.connection = new AbortController();
      const connection = line.connection.signal;
      // The connection outlives its token: another request, or the WebSocket itself, renews the session meanwhile.
      let current = credentials;
      const didRenew: RenewalListener = (expired, renewed) => { if (current === expired) current = renewed; };
      this.#renewed.add(didRenew);
      try {
        for await (const event of this.#events(payload, credentials, connection)) {
          // Events that were received before `use` are not delivered after it.
          if (connection.aborted) break;
          delay = event.delay ?? delay;
          if (event.isComplete) return;
          if (event.response === undefined) {
            if (event.hasBegun) begin();
            // Without an event, the server sends the position at which the subscription begins.
            if (event.position !== undefined && position === undefined) moveTo(event.position);
            continue;
          }
          const response = event.response as GraphQLResponse<Data>;
          if (isExpired(response) && !response.data && credentials) {
            if (Date.now() - connected > acceptedAfter) {
              attempts = 0;
              renewals = 0;
            }
            mustRenew = renewals < maximumRenewals;
            if (mustRenew) break;
          }
          const data = dataOf(response);
          begin();
          attempts = 0;
          renewals = 0;
          yield data;
          // Only now the event has been handled: a loop that is left here gets it again.
          if (event.position !== undefined) moveTo(event.position);
        }
        if (mustRenew && credentials) {
          const renewed = await orAborted(this.#renew(credentials), connection).catch((error: unknown) => {
            // After `use`, and in another network, it connects again at once.
            if (connection.aborted) return null;
            // A server that cannot store anything at the moment has not rejected the session.
            if (error instanceof HearthError && error.reason === "failed") return null;
            throw error;
          });
          if (renewed) {
            renewals += 1;
            continue;
          }
        }
      } catch (error) {
        if (signal?.aborted) return;
        if (isConnected) interrupt();
        if (!(error instanceof HearthError)) throw error;
        // An earlier connection reached the server, so what now answers is something else.
        const isOfOther = begun !== undefined && error.reason === "notGraphQL";
        // The position is still that of the last delivered event, so the server sends this one again.
        // Without a position, the events until the subscription begins again would be missed silently.
        const misses = position === undefined && error.codes.includes("EVENTS_TOO_FAST");
        if (misses || !error.isTemporary && !isOfOther) {
          const isReplaced = current !== null && hasEnded(error)
            && await orAborted(this.#forget(current), signal).catch(() => false);
          if (signal?.aborted) return;
          if (!isReplaced) throw error;
          attempts = 0;
          renewals = 0;
        }
        stated = statedDelay(error, longestLiveDelay);
      } finally {
        this.#renewed.delete(didRenew);
      }
      if (signal?.aborted) return;
      interrupt();
      await pause((delay ?? backoff(attempts)) + stated, connection);
      // After `use` and in another network, what failed before says nothing.
      attempts = connection.aborted ? 0 : attempts + 1;
    }
  }

  // Requests

  /** @param turn That of a mutation, which is not sent again in another one. Queries have none. */
  async #response<Data>(
    payload: Payload,
    headers: Record<string, string>,
    canRepeat: boolean,
    signal: AbortSignal | undefined,
    turn?: number,
    hasReplaced = false,
  ): Promise<GraphQLResponse<Data>> {
    const isOver = () => turn !== undefined && turn !== this.#turn;
    let credentials = this.#credentials;
    let response = await this.#repeat<Data>(payload, headers, credentials, canRepeat, signal);
    for (let renewals = 0; renewals < maximumRenewals && credentials && isExpired(response); renewals += 1) {
      credentials = await orAborted(this.#renew(credentials), signal);
      if (!credentials || isOver()) return response;
      response = await this.#repeat<Data>(payload, headers, credentials, canRepeat, signal);
    }
    if (!credentials || !hasEnded(response)) return response;
    const isReplaced = await orAborted(this.#forget(credentials), signal);
    // With data, even null, the operation was executed in part.
    if (!isReplaced || hasReplaced || isOver() || response.data !== undefined) return response;
    return this.#response(payload, headers, canRepeat, signal, turn, true);
  }

  async #repeat<Data>(
    payload: Payload,
    headers: Record<string, string>,
    credentials: Credentials | null,
    canRepeat: boolean,
    signal: AbortSignal | undefined,
  ): Promise<GraphQLResponse<Data>> {
    const retries = canRepeat ? (this.#options.retries ?? 3) : 0;
    // A file can take longer to send than this.
    const limit = typeof bodyOf(payload).body === "string" ? longestSilence : undefined;
    for (let attempt = 0; ; attempt += 1) {
      let delay = backoff(attempt);
      try {
        const accept = "application/graphql-response+json, application/json";
        return await within(limit, signal, async (limited, restart) => {
          const response = await this.#send(payload, headers, credentials, accept, limited);
          // The body of a large response has a time of its own.
          restart();
          delay += requestedDelay(response);
          return decode<Data>(response);
        });
      } catch (error) {
        signal?.throwIfAborted();
        if (attempt >= retries || !(error instanceof HearthError) || !isRepeated(error)) throw error;
        await pause(delay + runningDelay(error), signal);
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
      throw unreachable(error);
    }
  }

  /** If several requests find the access token expired, it is renewed once: a refresh token can be used once. */
  #renew(expired: Credentials): Promise<Credentials | null> {
    if (this.#credentials !== expired) return Promise.resolve(this.#credentials);
    // Not a renewal of credentials that a sign-in has replaced: those of the sign-in need one of their own.
    if (this.#renewal?.expired === expired) return this.#renewal.next;
    const next = this.#refresh(expired).finally(() => {
      if (this.#renewal?.expired === expired) this.#renewal = null;
    });
    this.#renewal = { expired, next };
    return next;
  }

  #refresh(expired: Credentials): Promise<Credentials | null> {
    return this.#alone(async (isLocked) => {
      // The credentials may have been replaced by a sign-in while another client renewed.
      if (this.#credentials !== expired || this.#follow(expired)) return this.#credentials;
      const renewed = await this.#requestNext(expired, isLocked);
      if (isLocked) await pause(storingTime, undefined);
      return renewed;
    });
  }

  /**
   * With shared credentials, one client at a time renews or ends them; the others then find what it has stored.
   *
   * @param limit The milliseconds after which it runs although another client still does.
   */
  async #alone<Value>(run: (isLocked: boolean) => Promise<Value>, limit?: number): Promise<Value> {
    // Locks are missing in React Native, in Node before version 24, and in pages that were not loaded by HTTPS.
    const locks = typeof navigator === "undefined" ? undefined : navigator.locks;
    if (this.#options.storedCredentials === undefined || locks === undefined) return run(false);
    let result: Promise<Value> | undefined;
    const turn = () => (result = run(true)).then(() => {}, () => {});
    // In a page that must not use its storage, the API is there, but rejects.
    await within(limit, undefined, (signal) => locks.request("hearth-renewal", { signal }, turn)).catch(() => {});
    return result ?? run(false);
  }

  async #requestNext(expired: Credentials, isLocked: boolean): Promise<Credentials | null> {
    const payload = { [documentMember]: renewalDocument, variables: { refreshToken: expired.refreshToken } };
    // A repeated renewal would use the refresh token twice, unless the server knows the key. It has been stored with
    // the token, for the next page if this one is closed before it stores the next pair.
    const headers = { "Idempotency-Key": expired.renewalKey ?? randomKey() };
    const canRepeat = this.#options.retriesMutations ?? true;
    const response = await this.#repeat<{ refreshSession: { credentials: Credentials | null } }>(
      payload, headers, null, canRepeat, undefined,
    );
    const isRejected = isSpent(response)
      || (!response.errors?.length && response.data?.refreshSession.credentials === null);
    // Another client can have signed in at the same moment.
    if (isRejected && isLocked) await pause(storingTime, undefined);
    // A sign-in, here or in another client, may have replaced the credentials in the meantime.
    if (this.#credentials !== expired || this.#follow(expired)) return this.#credentials;
    // Rejected credentials are not a failure: the session has ended. An error is one, such as of a server that cannot
    // store anything at the moment.
    return this.#replace(expired, isRejected ? null : dataOf(response).refreshSession.credentials);
  }

  /**
   * Uses what another client has stored, if it is of the same sign-in: subscriptions connect again with it, at once,
   * and resume after their last event. Otherwise this client's session ends, and so it does if the other client has
   * signed out. Returns false if there is nothing new.
   */
  #follow(own: Credentials): boolean {
    const stored = this.#stored();
    if (!stored) {
      if (stored === undefined || !this.#wasStored) return false;
      this.#adopt(null);
    } else if (this.#noteStored(own, stored) || this.#used.has(stored.refreshToken)) {
      // What this client has renewed can still be stored, because the app could not store the next pair.
      return false;
    } else if (areOfSameSignIn(stored, own)) {
      this.#adopt(stored, true);
    } else {
      // What the user of this page has begun must not be executed as the other person.
      this.#turn += 1;
      this.#adopt(null, true);
      guarded(() => this.#options.onReplaced?.(stored));
    }
    return true;
  }

  /** The server has ended the session of these credentials. Returns whether there are others to use now. */
  #forget(ended: Credentials): Promise<boolean> {
    return this.#alone(async (isLocked) => {
      // Another client can have signed in at the same moment.
      if (isLocked) await pause(storingTime, undefined);
      if (this.#credentials === ended && !this.#follow(ended)) this.#adopt(null);
      return this.#credentials !== null;
    }, longestRenewal);
  }

  /** The server has renewed the expired credentials, or rejected them. Open subscriptions go on. */
  #replace(expired: Credentials, next: Credentials | null): Credentials | null {
    const renewed = withRenewalKey(next, expired);
    this.#credentials = renewed;
    this.#used.add(expired.refreshToken);
    if (renewed) for (const listener of this.#renewed) listener(expired, renewed);
    this.#report();
    // The app can call `use` when it receives them.
    return this.#credentials;
  }

  // Subscriptions

  #events(
    payload: Payload,
    credentials: Credentials | null,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<LiveEvent, void, undefined> {
    if (this.#options.live !== "webSocket") {
      return streamedEvents(
        (connection) => this.#send(payload, {}, credentials, "text/event-stream", connection), signal,
      );
    }
    const session: SocketSession = {
      credentials,
      renew: (expired) => this.#renew(expired),
      renewed: this.#renewed,
    };
    return socketEvents(() => this.#socket(), payload, session, signal);
  }

  #socket(): WebSocket {
    const Socket = this.#options.webSocket ?? globalThis.WebSocket;
    if (Socket === undefined) throw new TypeError("There is no WebSocket here: pass one as the option `webSocket`.");
    const url = new URL(this.endpoint, typeof location === "undefined" ? undefined : location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    return new Socket(url.href, "graphql-transport-ws");
  }
}
