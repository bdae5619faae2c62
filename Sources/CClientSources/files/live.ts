
// The transports of subscriptions

/** A message of a subscription, by whichever transport. */
interface LiveEvent {
  /** Whether the subscription has begun. */
  readonly hasBegun: boolean;
  readonly isComplete: boolean;
  /** An event's response, or errors because of which there are no events. */
  readonly response?: GraphQLResponse<unknown> | undefined;
  /** The position to resume from after it. */
  readonly position?: string | undefined;
  /** The milliseconds after which the server wants the client to reconnect. */
  readonly delay?: number | undefined;
}

type RenewalListener = (expired: Credentials, renewed: Credentials) => void;

/** What a WebSocket needs to renew its token while it is open. */
interface SocketSession {
  readonly credentials: Credentials | null;
  readonly renew: (expired: Credentials) => Promise<Credentials | null>;
  readonly renewed: Set<RenewalListener>;
}

/** The server sends heartbeats more often than this. A connection without them is lost, even if nothing has closed it. */
const longestSilence = 60_000;

/** The characters of messages that wait for a slow loop. A WebSocket cannot be paused. */
const longestBacklog = 4 * 2 ** 20;

async function* streamedEvents(
  open: (connection: AbortSignal) => Promise<Response>,
  signal: AbortSignal | undefined,
): AsyncGenerator<LiveEvent, void, undefined> {
  const connection = new AbortController();
  const abort = () => connection.abort();
  signal?.addEventListener("abort", abort);
  let timer = setTimeout(abort, longestSilence);
  try {
    const response = await open(connection.signal)
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
      for (const event of parser.receive(decoder.decode(part.value, { stream: true }))) {
        const content = event.name === "next" ? parsed<unknown>(event.data, response) : undefined;
        yield {
          hasBegun: content !== undefined || event.id !== undefined,
          isComplete: event.name === "complete",
          response: content,
          // An empty one means that the subscription has begun on a server without positions.
          position: event.id || content?.extensions?.position,
          delay: event.retry,
        };
      }
      // The time that a slow loop takes for its events is not silence.
      timer = setTimeout(abort, longestSilence);
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
    abort();
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

/** A message of graphql-transport-ws that a server sends. */
interface SocketMessage {
  readonly type: string;
  readonly id?: string;
  readonly payload?: unknown;
}

/** Close codes after which reconnecting would fail again. */
const finalCloseCodes = [1002, 1007, 1009, 4400, 4401, 4403, 4406, 4409, 4429];

/** A subscription over a WebSocket of its own. The position of the handshake is then where it begins. */
async function* socketEvents(
  connect: () => WebSocket,
  payload: Payload,
  session: SocketSession,
  signal: AbortSignal | undefined,
): AsyncGenerator<LiveEvent, void, undefined> {
  const socket = connect();
  const received: { readonly event: LiveEvent; readonly size: number }[] = [];
  let backlog = 0;
  let wake = () => {};
  let isOver = false;
  let hasHeard = false;
  let position = payload.extensions?.position;
  let { credentials } = session;
  const push = (event: Partial<LiveEvent>, size = 0) => {
    received.push({ event: { hasBegun: false, isComplete: false, ...event }, size });
    backlog += size;
    wake();
  };
  const end = () => {
    isOver = true;
    // The loop can take long to notice it. What still arrives would take memory, and would follow a gap.
    socket.onmessage = null;
    session.renewed.delete(didRenew);
    clearInterval(heartbeat);
    clearTimeout(renewal);
    socket.close(1000);
    wake();
  };
  const send = (message: { type: string; id?: string; payload?: unknown }) => {
    if (socket.readyState === 1) socket.send(JSON.stringify(message));
  };
  const authorization = () => (credentials ? { Authorization: `Bearer ${credentials.accessToken}` } : {});

  // The token is renewed half a minute before it expires. If the clocks differ too much for that, the server closes the
  // connection, and the next one begins with a renewed token.
  let renewal: ReturnType<typeof setTimeout> | undefined;
  const renewInTime = () => {
    clearTimeout(renewal);
    const expired = credentials;
    const lifetime = Date.parse(expired?.expiresAt ?? "") - Date.now();
    if (!expired || !(lifetime > 0)) return;
    const rest = Math.min(Math.max(lifetime - 30_000, lifetime / 2, 1000), 2 ** 31 - 1);
    // If the server cannot be reached, the connection breaks too.
    renewal = setTimeout(() => { session.renew(expired).catch(() => {}); }, rest);
  };
  const didRenew: RenewalListener = (expired, renewed) => {
    if (credentials !== expired) return;
    credentials = renewed;
    send({ type: "ping", payload: authorization() });
    renewInTime();
  };

  const receive = ({ type, id, payload: content }: SocketMessage, size: number) => {
    if (type === "connection_ack") {
      send({ type: "subscribe", id: "events", payload });
      // The pong comes when the subscriptions before the ping have begun. Other responses can overtake them.
      send({ type: "ping", payload: { begin: true } });
      position ??= (content as { position?: string } | undefined)?.position;
      renewInTime();
    } else if (type === "ping") {
      send({ type: "pong" });
    } else if (type === "pong") {
      // Some servers leave out the payload. The pong of a renewal has another one.
      if (!content || (content as { begin?: boolean }).begin) push({ hasBegun: true, position }, size);
    } else if (id === "events" && type === "next") {
      const response = content as GraphQLResponse<unknown>;
      push({ hasBegun: true, response, position: response.extensions?.position }, size);
    } else if (id === "events" && type === "error") {
      push({ response: { errors: content as GraphQLError[] } }, size);
    } else if (id === "events" && type === "complete") {
      push({ isComplete: true }, size);
    }
  };

  socket.onopen = () => send({ type: "connection_init", payload: authorization() });
  socket.onmessage = ({ data }) => {
    hasHeard = true;
    const text = String(data);
    if (received.length > 0 && backlog + text.length > longestBacklog) {
      const message = "The events arrive faster than they are handled.";
      push({ response: { errors: [{ message, extensions: { code: "EVENTS_TOO_FAST" } }] } });
      return end();
    }
    try {
      receive(JSON.parse(text) as SocketMessage, text.length);
    } catch {
      end();
    }
  };
  // In browsers the close event follows, with its code. Node 22 has none after a failed attempt.
  socket.onerror = () => { setTimeout(end); };
  socket.onclose = ({ code, reason }) => {
    const delay = /reconnect in (\d+) ms/.exec(reason)?.[1];
    if (delay !== undefined) push({ delay: Number(delay) });
    // After `RIGHTS_CHANGED` the app has to load everything again, as it does for an error.
    if (finalCloseCodes.includes(code) || reason.startsWith("RIGHTS_CHANGED")) {
      const message = reason || `The server closed the connection (${code}).`;
      const name = /^[A-Z_]+(?=:)/.exec(reason)?.[0];
      push({ response: { errors: [{ message, ...(name === undefined ? {} : { extensions: { code: name } }) }] } });
    }
    end();
  };
  const heartbeat = setInterval(() => {
    if (!hasHeard) return end();
    hasHeard = false;
    send({ type: "ping" });
  }, longestSilence / 2);
  signal?.addEventListener("abort", end);
  session.renewed.add(didRenew);
  try {
    for (;;) {
      const next = signal?.aborted ? undefined : received.shift();
      if (next) {
        backlog -= next.size;
        yield next.event;
      } else if (isOver || signal?.aborted) {
        return;
      } else {
        await new Promise<void>((resolve) => { wake = resolve; });
      }
    }
  } finally {
    signal?.removeEventListener("abort", end);
    socket.onclose = null;
    send({ type: "complete", id: "events" });
    end();
  }
}
