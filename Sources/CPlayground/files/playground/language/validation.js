// Asks the server what is wrong with the request, a moment after the last change; the server executes nothing of it.

import { placeOf } from "../json-object.js";
import { diagnostics, showFaults } from "./diagnostics.js";

const patience = 250;

export class Validation {
  static extension = diagnostics;

  #asked = null;
  #timer = 0;
  #check;
  #show;

  /** `check(signal)` asks for the errors, or gives null where there is nothing to ask; `show` gets them. */
  constructor(check, show) {
    this.#check = check;
    this.#show = show;
  }

  /** Something has changed. */
  later() {
    clearTimeout(this.#timer);
    this.#asked?.abort();
    this.#timer = setTimeout(() => this.#now(), patience);
  }

  async #now() {
    const asked = new AbortController();
    this.#asked = asked;
    try {
      const errors = await this.#check(asked.signal);
      if (!asked.signal.aborted) this.#show(errors ?? []);
    } catch { /* asked anew meanwhile, or the server is away: what is shown stays */ }
  }
}

/** Underlines errors of GraphQL, with their `locations`, in an editor. */
export function underline(editor, errors) {
  showFaults(editor.view, errors.flatMap(({ message, locations = [] }) => locations.map(({ line, column }) => {
    const from = editor.offset(line, column);
    const rest = editor.text.slice(from);
    const length = /^(?:[$@]?\w+|\.\.\.|"[^"\n]*"?|[^\s])/.exec(rest)?.[0].length ?? 0;
    // At the very end there is nothing to underline but what stands before it.
    return length > 0 ? { from, to: from + length, message } : { from: Math.max(0, from - 1), to: from, message };
  })));
}

/** Underlines, in the variables' JSON, what errors say of it: of a whole `$name`, or of a place in its value. */
export function underlineVariables(editor, errors) {
  showFaults(editor.view, errors.map(({ message }) => {
    const [, name, inner] = /^Variable "\$(\w+)"(?:.* at "([\w.[\]]+)")?/.exec(message);
    const path = (inner ?? name).split(/[.[\]]+/).filter((key) => key !== "");
    return { ...placeOf(editor.text, path.map((key) => (/^\d/.test(key) ? Number(key) : key))), message };
  }));
}
