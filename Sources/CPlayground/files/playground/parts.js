// A response in parts (`@defer` and `@stream`): reads them from a multipart body as they arrive, and merges them into one response.

const isObject = (value) => value !== null && typeof value === "object";

/** Reads the parts of a multipart response, and calls `heard(part)` with each. Returns how many bytes the body has. */
export async function readParts(response, heard) {
  const boundary = /boundary="?([^";]+)"?/.exec(response.headers.get("Content-Type"))?.[1] ?? "-";
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  // The first delimiter may have no line before it. What comes before it is ignored.
  let [rest, size, isPreamble] = ["\r\n", 0, true];
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return size;
    size += value.byteLength;
    rest += decoder.decode(value, { stream: true });
    const pieces = rest.split(`\r\n--${boundary}`);
    rest = pieces.pop();
    if (isPreamble && pieces.length > 0) {
      pieces.shift();
      isPreamble = false;
    }
    for (const piece of pieces) heard(JSON.parse(piece.slice(piece.indexOf("\r\n\r\n") + 4)));
  }
}

/** A response that becomes complete part by part. */
export class MergedResponse {
  /** The response so far: { data, errors, extensions }. */
  body = {};
  count = 0;
  isComplete = false;
  /** The paths of what is still to come, by its id. */
  #pending = new Map();

  add({ pending = [], incremental = [], completed = [], hasNext = false, ...whole }) {
    if (this.count === 0) this.body = whole;
    else Object.assign(this.body, whole);
    this.count += 1;
    this.isComplete = !hasNext;
    for (const { id, path } of pending) this.#pending.set(id, path);
    for (const { id, subPath = [], data, items, errors } of incremental) {
      const target = [...(this.#pending.get(id) ?? []), ...subPath].reduce((value, key) => value?.[key], this.body.data);
      if (Array.isArray(target) && items) target.push(...items);
      else if (isObject(target) && data) merge(target, data);
      this.#fail(errors);
    }
    for (const { id, errors } of completed) {
      this.#pending.delete(id);
      this.#fail(errors);
    }
  }

  #fail(errors = []) { if (errors.length > 0) this.body.errors = [...(this.body.errors ?? []), ...errors]; }
}

function merge(target, source) {
  for (const [key, value] of Object.entries(source)) {
    if (isObject(value) && isObject(target[key])) merge(target[key], value);
    else target[key] = value;
  }
}
