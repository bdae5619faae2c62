// What the checks expect.

export function expect(condition: boolean, what: unknown = ""): asserts condition {
  if (!condition) throw new Error(`Not as expected: ${JSON.stringify(what)}`);
}

export function expectSome<Value>(value: Value | null | undefined): Value {
  expect(value !== null && value !== undefined, "nothing");
  return value;
}

export async function soon<Value>(promise: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("It takes too long.")), 10_000);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Runs with a clock on which some delays are over at once. Returns those too. */
export async function inShort<Value>(
  isShort: (delay: number) => boolean, run: () => Promise<Value>,
): Promise<{ value: Value; waited: number[] }> {
  const { setTimeout } = globalThis;
  const waited: number[] = [];
  globalThis.setTimeout = ((act: () => void, delay = 0) => {
    if (!isShort(delay)) return setTimeout(act, delay);
    waited.push(delay);
    return setTimeout(act, 1);
  }) as typeof setTimeout;
  try {
    return { value: await run(), waited };
  } finally {
    globalThis.setTimeout = setTimeout;
  }
}
