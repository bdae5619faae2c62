// The responses of servers that the checks replace, and what is read from their requests.

export const change = (name: string) => ({
  familyChanged: { __typename: "ItemChanged", item: { __typename: "Item", id: "1", name } },
});
export const rejection = (code: string) => ({ errors: [{ message: code, extensions: { code, retryAfter: 60 } }] });
export const next = (payload: unknown, position?: string) =>
  `${position === undefined ? "" : `id: ${position}\n`}event: next\ndata: ${JSON.stringify(payload)}\n\n`;
export const complete = "event: complete\ndata:\n\n";
export const tokenOf = (init?: RequestInit) => new Headers(init?.headers).get("Authorization");

export function json(body: unknown): Response {
  return new Response(JSON.stringify(body), { headers: { "Content-Type": "application/json" } });
}

/** An event stream that stays open until the request is aborted. */
export function stream(text: string, signal: AbortSignal | null | undefined): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode(text));
      signal?.addEventListener("abort", () => controller.error(signal.reason));
    },
  });
  return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
}
