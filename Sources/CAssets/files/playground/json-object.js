// The JSON object that an editor holds: variables, or headers.

/** Reads it as { value } or { problem }; nothing at all is an object with nothing in it. */
export function readObject(text, name) {
  if (text.trim() === "") return { value: undefined };
  try {
    const value = JSON.parse(text);
    if (value !== null && typeof value === "object" && !Array.isArray(value)) return { value };
    return { problem: `${name} are one JSON object: { "name": value, … }.` };
  } catch (error) {
    return { problem: `Not JSON yet: ${error.message}.`, at: Number(/position (\d+)/.exec(error.message)?.[1] ?? text.length - 1) };
  }
}

/** Reads headers: an object whose values are texts that may be sent. */
export function readHeaders(text) {
  const { value, problem, at } = readObject(text, "Headers");
  if (problem !== undefined) return { problem, at };
  try {
    for (const [name, header] of Object.entries(value ?? {})) {
      if (typeof header !== "string") return { problem: `The header ${name} must be a string.` };
      new Headers({ [name]: header });
    }
  } catch {
    return { problem: "There is a name or value among the headers that HTTP cannot send." };
  }
  return { value: value ?? {} };
}
