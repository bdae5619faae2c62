// Lets the server validate the request shortly after the last change, without executing it.

import { placeOf } from "../json-object.js";
import { listProblems } from "../problems.js";
import { diagnostics, showFaults } from "./diagnostics.js";

const patience = 250;

export class Validation {
  static extension = diagnostics;

  #asked = null;
  #timer = 0;
  #check;
  #show;

  /** `check(signal)` requests the errors and the cost; `show` displays what it returns. */
  constructor(check, show) {
    this.#check = check;
    this.#show = show;
  }

  /** Call this after each change. */
  later() {
    clearTimeout(this.#timer);
    this.#asked?.abort();
    this.#timer = setTimeout(() => this.#now(), patience);
  }

  async #now() {
    const asked = new AbortController();
    this.#asked = asked;
    try {
      const found = await this.#check(asked.signal);
      if (!asked.signal.aborted) this.#show(found);
    } catch { /* superseded, or the server is unreachable: the shown errors stay */ }
  }
}

/** Underlines GraphQL errors at their `locations` in an editor, and lists them by line. */
export function underline(editor, errors, list) {
  const faults = errors.map(({ message, locations = [] }) => locations.map(({ line, column }) => {
    const from = editor.offset(line, column);
    const rest = editor.text.slice(from);
    const length = /^(?:[$@]?\w+|\.\.\.|"[^"\n]*"?|[^\s])/.exec(rest)?.[0].length ?? 0;
    // At the end of the text, the preceding character is underlined.
    return length > 0 ? { from, to: from + length, message } : { from: Math.max(0, from - 1), to: from, message };
  }));
  showFaults(editor.view, faults.flat());
  listProblems(list, editor, errors.map(({ message }, place) => faults[place][0] ?? { message }));
}

/** Underlines errors of variables in their JSON, and lists them by line: an entire `$name`, or a path in its value. */
export function underlineVariables(editor, errors, list) {
  const faults = errors.map(({ message }) => {
    const [, name, inner] = /^Variable "\$(\w+)"(?:.* at "([\w.[\]]+)")?/.exec(message);
    const path = (inner ?? name).split(/[.[\]]+/).filter((key) => key !== "");
    return { ...placeOf(editor.text, path.map((key) => (/^\d/.test(key) ? Number(key) : key))), message };
  });
  showFaults(editor.view, faults);
  listProblems(list, editor, faults.toSorted((one, other) => one.from - other.from));
}
