// GraphQL over HTTP, to the address that the page itself came from; events come as server-sent events.

/**
 * Sends one request and gives the answer: { status, elapsed (ms), size (bytes), text, body }, where body is the JSON
 * in it, or undefined when it is none. With `received`, an answer may also be a stream of events: each one's text is
 * passed to it, and the answer, when the stream ends, has `streamed` set.
 */
export async function send(request, { token = null, signal, received } = {}) {
  const headers = {
    "Content-Type": "application/json",
    "Accept": received
      ? "text/event-stream, application/graphql-response+json;q=0.5"
      : "application/graphql-response+json, application/json;q=0.9",
  };
  if (token !== null) headers.Authorization = `Bearer ${token}`;
  const started = performance.now();
  const response = await fetch(location.pathname, {
    method: "POST", headers, body: JSON.stringify(request), signal, cache: "no-store",
  });
  if (received && response.headers.get("Content-Type")?.startsWith("text/event-stream")) {
    const size = await readEvents(response.body, received);
    return { status: response.status, elapsed: performance.now() - started, size, streamed: true };
  }
  const bytes = await response.arrayBuffer();
  const elapsed = performance.now() - started;
  const text = new TextDecoder().decode(bytes);
  let body;
  try { body = JSON.parse(text); } catch { /* no GraphQL answer: shown as the text it is */ }
  return { status: response.status, elapsed, size: bytes.byteLength, text, body };
}

/** Passes on the data of each `next` event until the `complete` one, or the stream's end; gives the bytes read. */
async function readEvents(stream, received) {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let pending = "";
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return size;
    size += value.byteLength;
    // A line's end that is cut between two pieces waits for the second: a lone "\r" is an end, too.
    const text = pending + decoder.decode(value, { stream: true });
    const blocks = text.replace(/\r\n|\r(?!$)/g, "\n").split("\n\n");
    pending = blocks.pop();
    for (const block of blocks) {
      const fields = block.split("\n").map((line) => /^(\w+): ?(.*)$/.exec(line)).filter(Boolean);
      const named = (name) => fields.filter((field) => field[1] === name).map((field) => field[2]);
      const kind = named("event").at(-1) ?? "next";
      if (kind === "complete") {
        await reader.cancel();
        return size;
      }
      if (kind === "next" && named("data").length > 0) received(named("data").join("\n"));
    }
  }
}
