// The scripts of a request: one runs before it and can change it, one after its response. They run in a sandbox, which has neither
// the session nor the page, and share the values of the environment and of the request's collection.

import { EditorView } from "./codemirror.js";
import { Editor } from "./editor.js";
import { showFaults, diagnostics } from "./language/diagnostics.js";
import { scriptColours } from "./language/highlighting.js";
import { operationsOf, parse } from "./language/parser.js";
import { hasScripts } from "./memory.js";
import { ScriptProblem, runScript } from "./sandbox.js";
import { askToAllow } from "./script-consent.js";

const element = (id) => document.getElementById(id);
const names = { before: "script before the request", after: "script after the response" };
const kinds = Object.keys(names);
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

export class Scripts {
  /** By kind: "before" and "after". */
  editors;
  #environments;
  #show;
  #allow;
  #tab = null;

  /**
   * `note(part)` stores a script of the tab, `allow(tab)` that the scripts of a tab were allowed; `show()` shows the editors.
   */
  constructor(environments, { note, allow, show }) {
    this.#environments = environments;
    this.#allow = allow;
    this.#show = show;
    this.editors = Object.fromEntries(kinds.map((kind) => [kind, new Editor(element(`script-${kind}`), {
      label: `The ${names[kind]}`, language: scriptColours, more: [diagnostics, EditorView.lineWrapping],
      hint: kind === "before" ? 'request.headers["X-Time"] = Date.now();' : "environment.id = response.body.data.viewer.id;",
      changed: (text) => {
        note({ [kind]: text });
        element("script-error").textContent = "";
        this.#draw();
      },
    })]));
    for (const kind of kinds) element(`script-choose-${kind}`).addEventListener("change", () => this.#draw());
    const toggle = element("script-about-toggle");
    toggle.addEventListener("click", () => {
      toggle.ariaExpanded = String(toggle.ariaExpanded !== "true");
      this.#draw();
    });
  }

  /** Called with the tab whose scripts are in the editors now. */
  turnTo(tab) {
    this.#tab = tab;
    element("script-error").textContent = "";
    // On a phone it would leave no room for the script.
    element("script-about-toggle").ariaExpanded = String(!hasScripts(tab) && !matchMedia("(max-width: 46rem)").matches);
    this.#choose(tab.before === "" && tab.after !== "" ? "after" : "before");
  }

  /** Whether the scripts of a tab may run: imported ones only after the user has read and allowed them. */
  async mayRun(tab) {
    if (!tab.isImported) return true;
    const { before, after } = tab;
    const isAllowed = await askToAllow({ before, after });
    // Another window cannot change them, but this must not depend on it.
    if (!isAllowed || tab.before !== before || tab.after !== after) return false;
    this.#allow(tab);
    this.#draw();
    return true;
  }

  /** The request { body, headers } as the script before it leaves it. Throws an error that says why it is not sent. */
  async before(tab, script, { body, headers }, options) {
    const { query, variables = {} } = body;
    // A script has JavaScript's numbers.
    const given = { query, variables: JSON.parse(JSON.stringify(variables)), headers };
    const { request } = await this.#run(tab, "before", script, { request: given }, options);
    const problem = problemOf(request);
    if (problem !== null) throw this.#report(tab, "before", new ScriptProblem(problem));
    const operations = operationsOf(parse(request.query));
    const operation = operations.find(({ name }) => name === body.operationName) ?? operations[0];
    return {
      body: { query: request.query, operationName: operation?.name ?? undefined, variables: request.variables },
      headers: request.headers, operation: operation?.operation,
    };
  }

  /** Runs the script after a response. Throws an error that says why it failed. */
  async after(tab, script, { status, headers, body, text }, options) {
    const response = { status, headers: Object.fromEntries(headers), body: body ?? text };
    await this.#run(tab, "after", script, { response }, options);
  }

  async #run(tab, kind, script, input, options) {
    this.#mark(tab, kind, null);
    const { values, problem, write } = this.#environments.open(tab);
    try {
      if (problem !== undefined) throw new ScriptProblem(`The environment: ${problem}`);
      const outcome = await runScript(script, { ...input, environment: values }, options);
      if (!isObject(outcome?.environment)) throw new ScriptProblem("The environment must be an object.");
      write(outcome.environment);
      return outcome;
    } catch (error) {
      throw error instanceof ScriptProblem ? this.#report(tab, kind, error) : error;
    }
  }

  /** Shows a problem at its line. Returns it as an error with a sentence. */
  #report(tab, kind, problem) {
    this.#mark(tab, kind, problem);
    return new Error(`the ${names[kind]} ${problem.sentence.replace(/\.$/, "")}.`);
  }

  #mark(tab, kind, problem) {
    if (tab !== this.#tab) return;
    const editor = this.editors[kind];
    const line = problem?.line;
    const from = line ? editor.offset(line, 1) : 0;
    const to = line ? editor.offset(line, Infinity) : 0;
    showFaults(editor.view, line ? [{ from, to, message: problem.message }] : []);
    element("script-error").textContent = problem === null ? "" : `${line ? `Line ${line}: ` : "The script "}${line ? problem.message : problem.sentence}`;
    if (problem === null) return;
    this.#choose(kind);
    this.#show();
  }

  #choose(kind) {
    element(`script-choose-${kind}`).checked = true;
    this.#draw();
  }

  #draw() {
    if (this.#tab === null) return;
    for (const kind of kinds) {
      element(`script-${kind}`).hidden = !element(`script-choose-${kind}`).checked;
      element(`script-${kind}-written`).hidden = this.editors[kind].text.trim() === "";
    }
    const count = kinds.filter((kind) => this.editors[kind].text.trim() !== "").length;
    element("scripts-count").textContent = count === 0 ? "" : ` (${count})`;
    element("script-about").hidden = element("script-about-toggle").ariaExpanded !== "true";
    element("script-imported").hidden = !this.#tab.isImported;
  }
}

function problemOf(request) {
  if (typeof request?.query !== "string") return "request.query must be a string";
  if (!isObject(request.variables)) return "request.variables must be an object";
  if (!isObject(request.headers)) return "request.headers must be an object";
  const wrong = Object.entries(request.headers).find(([, value]) => typeof value !== "string");
  return wrong === undefined ? null : `the header ${wrong[0]} must be a string`;
}
