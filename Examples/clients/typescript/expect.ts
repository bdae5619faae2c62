// What the checks expect.

export function expect(condition: boolean, what: unknown = ""): asserts condition {
  if (!condition) throw new Error(`Not as expected: ${JSON.stringify(what)}`);
}

export function expectSome<Value>(value: Value | null | undefined): Value {
  expect(value !== null && value !== undefined, "nothing");
  return value;
}
