
// Requests and responses

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

async function decode<Data>(response: Response): Promise<GraphQLResponse<Data>> {
  if (!response.headers.get("Content-Type")?.includes("json")) throw notGraphQL(response);
  const text = await response.text().catch((error: unknown) => { throw unreachable(error); });
  const decoded = parsed<Data>(text, response);
  const { errors } = decoded;
  if (errors && (response.status === 503 || isStillRunning(decoded))) throw unavailable(response.status, errors);
  return decoded;
}

/** What a text of the response contains. Other programs, such as a proxy, respond with JSON too. */
function parsed<Data>(text: string, response: Response): GraphQLResponse<Data> {
  try {
    const value = JSON.parse(text) as GraphQLResponse<Data> | null;
    const hasData = value?.data !== undefined && (value.errors ?? null) === null;
    if (value && (hasData || Array.isArray(value.errors))) return value;
  } catch {
    // It is not JSON.
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

/** Whether the same mutation, sent before, is still being executed. */
function isStillRunning(response: { readonly errors?: readonly GraphQLError[] }): boolean {
  return codesOf(response).includes("IDEMPOTENT_REQUEST_RUNNING");
}

function unreachable(error: unknown): HearthError {
  return new HearthError("unreachable", `The server could not be reached: ${String(error)}`);
}

function notGraphQL(response: Response): HearthError {
  const message = `The response is not a GraphQL response (status ${response.status}).`;
  return new HearthError("notGraphQL", message, response.status);
}

/** The server, or the proxy in front of it, could not serve the request at the moment. */
function unavailable(status: number, errors: readonly GraphQLError[]): HearthError {
  return new HearthError("failed", errors.map((error) => error.message).join("\n"), status, errors);
}

/** Codes of errors of a server that is not available at the moment. An event stream has them with status 200. */
const temporaryCodes = [
  "STORAGE_UNAVAILABLE", "OVERLOADED", "TOO_MANY_CONNECTIONS", "RATE_LIMITED", "EVENTS_TOO_FAST", "READ_ONLY",
  "PROVIDER_UNAVAILABLE", "IDEMPOTENT_REQUEST_RUNNING",
];

/** Whether the client repeats the request by itself: not after an error that the server has stated with a response. */
function isRepeated(error: HearthError): boolean {
  return error.reason === "failed" ? error.status === 503 || isStillRunning(error) : error.isTemporary;
}

/** The milliseconds for which a request waits at most because the server, or the proxy, states it. */
const longestRequestDelay = 10_000;

/** The milliseconds after which the server, or the proxy, wants the request again. */
function requestedDelay(response: Response): number {
  return delayOf(Number(response.headers.get("Retry-After")));
}

/** The milliseconds after which the server can have performed the same mutation, sent before. */
function runningDelay(error: HearthError): number {
  return isStillRunning(error) ? statedDelay(error) : 0;
}

/** The milliseconds after which the server wants the request again, as its errors state. */
function statedDelay(error: HearthError, longest = longestRequestDelay): number {
  return Math.max(0, ...error.errors.map((each) => delayOf(each.extensions?.["retryAfter"], longest)));
}

function delayOf(seconds: unknown, longest = longestRequestDelay): number {
  return typeof seconds === "number" && seconds > 0 ? Math.min(seconds * 1000, longest) : 0;
}

/** Exponential, with jitter, so that the clients of a restarted server do not return all at once. */
function backoff(attempts: number): number {
  return 250 * 2 ** Math.min(attempts, 7) * (0.5 + Math.random() / 2);
}

/**
 * Runs with a signal that is aborted with the given one, and after a time: a connection can be lost without an end.
 * `restart` begins the time again.
 */
async function within<Value>(
  milliseconds: number | undefined,
  signal: AbortSignal | undefined,
  run: (limited: AbortSignal, restart: () => void) => Promise<Value>,
): Promise<Value> {
  const limit = new AbortController();
  const abort = () => limit.abort();
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restart = () => {
    clearTimeout(timer);
    if (milliseconds !== undefined) timer = setTimeout(abort, milliseconds);
  };
  restart();
  try {
    return await run(limit.signal, restart);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

/** The promise, or a rejection with the signal's reason when it is aborted before. */
function orAborted<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** Whether the session of the request's token has ended. */
function hasEnded(response: { readonly errors?: readonly GraphQLError[] }): boolean {
  return codesOf(response).some((code) => code === "TOKEN_REVOKED" || code === "SESSION_ENDED");
}

/**
 * Whether a renewal was performed before, and cannot be repeated: its session has ended since, or its new refresh token
 * was used, or it was sent as another document.
 */
function isSpent(response: { readonly errors?: readonly GraphQLError[] }): boolean {
  return codesOf(response).some((code) => code === "RESPONSE_NOT_KEPT" || code === "IDEMPOTENCY_KEY_REUSED");
}

/** The first half of the renewal key, which all pairs of a sign-in have. */
function signInOf(credentials: Credentials): string {
  return (credentials.renewalKey ?? hashOf(credentials.refreshToken)).slice(0, 16);
}

/** An app can have stored the tokens without the key. */
function areOfSameSignIn(first: Credentials, second: Credentials): boolean {
  return first.refreshToken === second.refreshToken || signInOf(first) === signInOf(second);
}

/**
 * 16 hexadecimal digits, which all clients that find a pair without a key have in common: two FNV-1a hashes. The key is
 * no secret, but must not contain the token.
 */
function hashOf(refreshToken: string): string {
  const hashes = [0x811c9dc5, 0x01234567].map((seed) => {
    let hash = seed;
    for (let index = 0; index < refreshToken.length; index += 1) {
      hash = Math.imul(hash ^ refreshToken.charCodeAt(index), 0x01000193);
    }
    return (hash >>> 0).toString(16).padStart(8, "0");
  });
  return hashes.join("");
}

/** @param previous The pair that was renewed. */
function withRenewalKey(credentials: Credentials | null, previous?: Credentials): Credentials | null {
  return credentials && {
    accessToken: credentials.accessToken,
    refreshToken: credentials.refreshToken,
    expiresAt: credentials.expiresAt,
    renewalKey: credentials.renewalKey ?? signInOf(previous ?? credentials) + randomKey().slice(16),
  };
}

/** Runs a callback of the app. Its errors are not those of the request that happens to call it. */
function guarded<Value>(call: () => Value): Value | undefined {
  try {
    return call();
  } catch (error) {
    // `reportError` is missing in Node.
    if (typeof reportError === "function") reportError(error);
    else console.error(error);
    return undefined;
  }
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
