// Runs the script of a request in a frame with an opaque origin and no network: see script-frame.html.

/** How long (ms) the frame may take to load, and a script to end. */
const [loading, running] = [15_000, 2000];
const largest = 1_000_000;

/** Why a script has not ended as it should: `line` is where, counted from 1, if that is known. */
export class ScriptProblem extends Error {
  constructor(message, { line, sentence = `failed${line ? ` on line ${line}` : ""}: ${message}` } = {}) {
    super(message);
    this.line = line;
    /** What happened, after the name of the script. */
    this.sentence = sentence;
  }
}

/**
 * Runs a script, whose global variables are the members of `input`: { request, response, environment }. Returns the request and the
 * environment as it leaves them, or throws a ScriptProblem. `log` is called with each line that it writes.
 */
export async function runScript(script, input, { signal, log }) {
  signal?.throwIfAborted();
  const frame = document.getElementById("script-frame").content.firstElementChild.cloneNode();
  const over = new AbortController();
  let timer = 0;
  try {
    return await new Promise((resolve, reject) => {
      const fail = (...problem) => reject(new ScriptProblem(...problem));
      const within = (milliseconds, sentence) => {
        clearTimeout(timer);
        timer = setTimeout(() => fail(sentence, { sentence }), milliseconds);
      };
      signal?.addEventListener("abort", () => reject(signal.reason), { signal: over.signal });
      addEventListener("message", ({ source, data }) => {
        if (source === null || source !== frame.contentWindow) return;
        if (typeof data?.line === "string") log(data.line);
        else if (typeof data?.outcome === "string") read(data.outcome, resolve, fail);
        else fail(String(data?.problem), { line: lineIn(script, data?.at) });
      }, { signal: over.signal });
      frame.addEventListener("load", () => {
        within(running, "did not end within 2 seconds, and was stopped");
        // An opaque origin has no name. The frame cannot be navigated: nothing but its own document is in it.
        frame.contentWindow.postMessage({ script, input }, "*");
      }, { once: true });
      within(loading, "could not be started");
      document.body.append(frame);
    });
  } finally {
    clearTimeout(timer);
    over.abort();
    frame.remove();
  }
}

function read(outcome, resolve, fail) {
  if (outcome.length > largest) return fail("It leaves more than a million characters in the request and the environment.");
  try {
    return resolve(JSON.parse(outcome));
  } catch {
    return fail("It has replaced what it was given.");
  }
}

/** The line of a script: a missing bracket is noticed after the last one. */
function lineIn(script, line) {
  return Number.isInteger(line) ? Math.min(Math.max(1, line), script.split("\n").length) : undefined;
}
