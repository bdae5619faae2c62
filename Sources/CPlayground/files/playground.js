// The playground: connects the parts of the page. Each part is a module of its own in playground/.

import { Answer } from "./playground/answer.js";
import { Builder } from "./playground/builder.js";
import { download } from "./playground/download.js";
import { moveEdges } from "./playground/edges.js";
import { Editor } from "./playground/editor.js";
import { examples } from "./playground/examples.js";
import { Files } from "./playground/files.js";
import { History } from "./playground/history.js";
import { readHeaders, readObject } from "./playground/json-object.js";
import { completion } from "./playground/language/completion.js";
import { definition, goToDefinition } from "./playground/language/definition.js";
import { showFaults } from "./playground/language/diagnostics.js";
import { graphqlColours, jsonColours } from "./playground/language/highlighting.js";
import { hover } from "./playground/language/hover.js";
import { mergeFragments } from "./playground/language/merge.js";
import { operationAt, operationsOf, parse } from "./playground/language/parser.js";
import { caretIn, prettify } from "./playground/language/prettify.js";
import { Validation, underline, underlineVariables } from "./playground/language/validation.js";
import { variableCompletion } from "./playground/language/variable-completion.js";
import { tabbed } from "./playground/panels.js";
import { Palette } from "./playground/palette.js";
import { Result } from "./playground/result.js";
import { Saved } from "./playground/saved.js";
import { Explorer } from "./playground/schema/explorer.js";
import { loadSchema } from "./playground/schema/load.js";
import { Session } from "./playground/session.js";
import { addressOf, sharedRequest } from "./playground/share.js";
import { listenForShortcuts } from "./playground/shortcuts.js";
import { showSession } from "./playground/sign-in.js";
import { languages } from "./playground/snippets.js";
import { Tabs } from "./playground/tabs.js";
import { send, validate } from "./playground/transport.js";

const element = (id) => document.getElementById(id);

let schema = null;
let tabs = null;
let operations = [];
/** The tab in the editors, and for each tab that was shown the result of its request and the states of its editors. */
let shown = null;
const answers = new WeakMap();
const states = new WeakMap();

const session = new Session();
const explorer = new Explorer();
const files = new Files();
const result = new Result((line, column) => query.show(line, column));
const history = new History(({ query: text, variables: values }) => tabs.open({ query: text, variables: values, headers: "" }));
const saved = new Saved(({ name, query: text, variables: values }) => tabs.open({ name, query: text, variables: values, headers: "" }), toast);
const showTool = tabbed(element("side-tabs"), (id) => { builder.isShown = id === "builder-panel"; });
const showBelow = tabbed(element("below-tabs"));

function openDocumentation(typeName, memberName) {
  showTool("docs-panel");
  explorer.open(typeName, memberName);
}

// MARK: The editors

const query = new Editor(element("query"), {
  label: "Query", language: graphqlColours, hint: "Write a query, or choose an example.",
  changed: queryChanged, moved: followCaret,
  more: [
    completion(() => schema), hover(() => schema, openDocumentation),
    definition(() => schema, openDocumentation), Validation.extension,
  ],
});
const variables = new Editor(element("variables"), {
  label: "Variables", language: jsonColours, hint: "{ }", changed: variablesChanged,
  more: [variableCompletion(() => ({ schema, operation: chosenOperation() })), Validation.extension],
});
const headers = new Editor(element("headers"), {
  label: "Headers", language: jsonColours, hint: '{ "X-Name": "value" }', changed: headersChanged, more: [Validation.extension],
});
const builder = new Builder(query);

function queryChanged(text) {
  tabs?.note({ query: text });
  operations = operationsOf(parse(text));
  element("operation").replaceChildren(...operations.map(({ operation, name }, place) => new Option(name ?? operation, place)));
  element("operation").hidden = operations.length < 2;
  followCaret();
  builder.update();
  validation.later();
}

function followCaret() {
  if (operations.length > 1) element("operation").value = operations.indexOf(operationAt(operations, query.caret));
  files.update(chosenOperation(), schema);
}

function chosenOperation() { return operations[operations.length > 1 ? Number(element("operation").value) : 0]; }

function variablesChanged(text) {
  tabs?.note({ variables: text });
  validation.later();
}

function headersChanged(text) {
  tabs?.note({ headers: text });
  const { problem, at = 0 } = readHeaders(text);
  element("headers-error").textContent = problem ?? "";
  showFaults(headers.view, problem ? [{ from: at, to: at + 1, message: problem }] : []);
}

/** Shows a tab in the editors, with its undo history, its files, and the result of its request. */
function show(tab) {
  const own = states.get(tab);
  const editors = { query, variables, headers };
  const former = shown;
  shown = tab;
  files.turnTo(tab);
  for (const [name, editor] of Object.entries(editors)) {
    const state = editor.turnTo(tab[name], own?.[name]);
    if (former !== null) states.set(former, { ...states.get(former), [name]: state });
  }
  result.show(answerOf(tab));
}

// MARK: Validation while typing

const validation = new Validation(async (signal) => {
  const { value, problem, at } = readObject(variables.text, "Variables");
  element("variables-error").textContent = problem ?? "";
  if (problem !== undefined) showFaults(variables.view, [{ from: at ?? 0, to: (at ?? 0) + 1, message: problem }]);
  if (query.text.trim() === "") return null;
  const operationName = chosenOperation()?.name ?? undefined;
  return validate({ query: query.text, operationName, variables: value ?? {} }, { token: await session.token(), signal });
}, (errors) => {
  const ofVariables = errors.filter(({ extensions }) => extensions?.code === "BAD_USER_INPUT");
  const ofQuery = errors.filter((error) => !ofVariables.includes(error));
  underline(query, ofQuery);
  const { problem } = readObject(variables.text, "Variables");
  if (problem === undefined) {
    underlineVariables(variables, ofVariables);
    element("variables-error").textContent = ofVariables.map(({ message }) => message).join(" ");
  }
  element("problems").textContent = ofQuery.length === 0 ? ""
    : `${ofQuery.length === 1 ? "1 problem" : `${ofQuery.length} problems`}: ${ofQuery[0].message}`;
});

// MARK: Running

function request() {
  const { value, problem } = readObject(variables.text, "Variables");
  const { value: given, problem: headerProblem } = readHeaders(headers.text);
  if (query.text.trim() === "") return { problem: "Write a query first, or choose an example.", at: query };
  if (problem !== undefined) return { problem: "The variables are not a JSON object.", at: variables, panel: "variables-panel" };
  if (headerProblem !== undefined) return { problem: headerProblem, at: headers, panel: "headers-panel" };
  const operation = chosenOperation();
  const body = { query: query.text, operationName: operation?.name ?? undefined, variables: value };
  return { body, headers: given, isLive: operation?.operation === "subscription" };
}

function run() {
  const { body, headers: given, isLive, problem, at, panel } = request();
  const { current } = tabs;
  const answer = answerOf(current);
  if (problem !== undefined) {
    if (panel) showBelow(panel);
    at.focus();
    return answer.say(problem, "bad");
  }
  history.add({ query: query.text, variables: variables.text });
  showAnswer();
  const isOwnToken = !new Headers(given).has("Authorization");
  if (isLive) {
    return answer.listen(body, async () => {
      const token = isOwnToken ? await session.token() : null;
      return isOwnToken ? token && `Bearer ${token}` : new Headers(given).get("Authorization");
    });
  }
  const { chosen } = files;
  return answer.ask(async (signal) => {
    const token = isOwnToken ? await session.token() : null;
    const received = await send(body, { token, signal, headers: given, files: chosen });
    session.heard(token, received.body?.errors);
    return received;
  });
}

/** Brings the result into view where the page is one column, as on a phone: there it is below the request. */
function showAnswer() {
  const panel = element("answer");
  if (panel.getBoundingClientRect().top > innerHeight / 2) panel.scrollIntoView({ block: "start" });
}

function runOrStop() {
  const answer = answerOf(tabs.current);
  if (answer.isRunning) answer.stop();
  else run();
}

function answerOf(tab) {
  if (!answers.has(tab)) {
    const answer = new Answer();
    answer.addEventListener("change", () => tabs.mark(tab, answer.isRunning));
    answers.set(tab, answer);
  }
  return answers.get(tab);
}

// MARK: Around the query

function prettifyAll() {
  const pretty = prettify(query.text);
  if (pretty === null) return toast("Not prettified: the query contains characters that are not valid in GraphQL.");
  query.fill(pretty, { caret: caretIn(pretty, query.text, query.caret) });
  for (const editor of [variables, headers]) {
    const { value } = readObject(editor.text, "");
    if (value !== undefined) editor.fill(JSON.stringify(value, null, 2));
  }
}

function merge() { query.fill(mergeFragments(query.text, schema)); }

async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied.`);
  } catch {
    toast("The browser does not allow the page to copy.");
  }
}

let toastTimer = 0;
function toast(text) {
  element("toast").textContent = text;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { element("toast").textContent = ""; }, 4000);
}

function copyAs(language) {
  const { body, headers: given, isLive, problem } = request();
  if (problem !== undefined) return toast(problem);
  const secretless = Object.fromEntries(Object.entries(given).filter(([name]) => !/^(?:authorization|cookie)$/i.test(name)));
  const isSignedIn = session.viewer !== null || Object.keys(secretless).length < Object.keys(given).length;
  const text = languages[language]({ ...body, isSignedIn, isLive }, {
    url: location.origin + location.pathname, headers: secretless, files: files.chosen,
  });
  return copy(text, files.chosen.length === 0 || language === "curl" ? language : `${language}, without the files,`);
}

/** Loads an example. If a user is signed in, its variables contain ids of their family. */
async function load({ query: text, variables: values, lookup }) {
  let found;
  if (lookup && session.viewer !== null) {
    try {
      found = (await send({ query: lookup }, { token: await session.token() })).body?.data;
    } catch { /* the placeholders stay */ }
  }
  const filled = values?.(found ?? undefined);
  tabs.open({ query: text, variables: filled === undefined ? "" : JSON.stringify(filled, null, 2), headers: "" });
  showBelow("variables-panel");
}

for (const example of examples) {
  const button = document.createElement("button");
  const about = document.createElement("small");
  const item = document.createElement("li");
  button.type = "button";
  about.textContent = example.about;
  button.append(example.title, about);
  button.addEventListener("click", () => load(example));
  item.append(button);
  element("examples").append(item);
}

element("run").addEventListener("click", runOrStop);
element("resume").addEventListener("click", () => answerOf(tabs.current).resume());
element("prettify").addEventListener("click", prettifyAll);
element("merge").addEventListener("click", merge);
element("copy-result").addEventListener("click", () => copy(result.text, "Result"));
element("download-result").addEventListener("click", () => {
  download(`${chosenOperation()?.name ?? "result"}.json`, result.text, "application/json");
});
element("saved-add").addEventListener("click", save);
element("palette-open").addEventListener("click", () => palette.open());
element("schema-reload").addEventListener("click", async () => {
  await showSchema({ isFresh: true });
  validation.later();
  if (schema !== null) toast("Schema reloaded.");
});
element("operation").addEventListener("change", () => {
  files.update(chosenOperation(), schema);
  validation.later();
});
element("share").addEventListener("click", () => {
  const address = addressOf({ query: query.text, variables: variables.text });
  if (address === null) toast("The query contains a password or a token: use a variable instead, which is not shared.");
  else copy(address, "Address");
});
element("copy-as").addEventListener("change", ({ target }) => {
  copyAs(target.value);
  target.value = "";
});
element("shortcuts-open").addEventListener("click", () => element("shortcuts").showModal());
element("shortcuts-close").addEventListener("click", () => element("shortcuts").close());
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  query.focus();
});
session.addEventListener("change", ({ detail }) => {
  validation.later();
  if (schema === null) showSchema({ isFresh: true });
  if (detail) toast(detail);
});
function searchDocumentation() {
  showTool("docs-panel");
  element("docs-search").focus();
  element("docs-search").select();
}

function openTab() {
  tabs.open({ query: "", variables: "", headers: "" });
  query.focus();
}

async function save() {
  const tab = tabs.current;
  const name = await saved.save({ query: query.text, variables: variables.text }, tabs.title);
  if (name !== null && tab === tabs.current) showTool("history-panel");
}

/** A command that does what a button of the page does. */
const pressing = (title, id, keys) => ({ title, keys, run: () => element(id).click(), isOff: element(id)?.disabled ?? true });

const palette = new Palette(() => [
  { title: answerOf(tabs.current).isRunning ? "Stop" : "Run", keys: "Ctrl Enter", run: runOrStop },
  pressing("Prettify", "prettify", "Ctrl Shift P"),
  pressing("Merge fragments into the query", "merge", "Ctrl Shift M"),
  { title: "Go to definition", keys: "Alt Enter", run: () => goToDefinition(query.view, query.caret, schema, openDocumentation) },
  { title: "Search the documentation", keys: "Ctrl K", run: searchDocumentation },
  { title: "Copy the query", keys: "Ctrl Shift C", run: () => copy(query.text, "Query") },
  pressing("Copy the result", "copy-result"),
  pressing("Download the result", "download-result"),
  pressing("Response headers", "headers-toggle"),
  pressing("Copy a link to this request", "share"),
  ...Object.keys(languages).map((language) => ({ title: `Copy as ${language}`, run: () => copyAs(language) })),
  { title: "New tab", keys: "Alt Shift T", run: openTab },
  { title: "Duplicate tab", run: () => tabs.duplicate() },
  { title: "Rename tab", keys: "F2", run: () => tabs.rename() },
  { title: "Move tab left", keys: "Ctrl ←", run: () => tabs.move(-1) },
  { title: "Move tab right", keys: "Ctrl →", run: () => tabs.move(1) },
  { title: "Close tab", keys: "Delete", run: () => tabs.close() },
  { title: "Save this request", keys: "Ctrl S", run: save },
  { title: "Export all saved requests", run: () => saved.export() },
  { title: "Import requests", run: () => saved.import() },
  ...Array.from(document.querySelectorAll('#side-tabs [role="tab"]'), (tab) => ({
    title: `Show ${tab.textContent}`, run: () => showTool(tab.getAttribute("aria-controls")),
  })),
  ...Array.from(document.querySelectorAll('#below-tabs [role="tab"]'), (tab) => ({
    title: `Show ${tab.firstChild.textContent}`, run: () => showBelow(tab.getAttribute("aria-controls")),
  })),
  pressing("Reload the schema", "schema-reload"),
  pressing(element("theme").textContent, "theme"),
  pressing("Keyboard shortcuts", "shortcuts-open"),
  ...examples.map((example) => ({ title: `Example: ${example.title}`, run: () => load(example) })),
].filter(({ isOff }) => !isOff));

listenForShortcuts({
  "F1": () => palette.open(),
  "Ctrl-S": save,
  "Ctrl-Enter": runOrStop,
  "Ctrl-Shift-P": prettifyAll,
  "Ctrl-Shift-M": merge,
  "Ctrl-Shift-C": () => copy(query.text, "Query"),
  "Ctrl-K": searchDocumentation,
  "Alt-Shift-T": openTab,
  "Alt-Shift-<": () => tabs.next(-1),
  "Alt-Shift-,": () => tabs.next(-1),
  "Alt-Shift->": () => tabs.next(1),
  "Alt-Shift-.": () => tabs.next(1),
});

async function showSchema(options) {
  try {
    schema = await loadSchema({ ...options, token: await session.token() });
  } catch ({ message }) {
    explorer.fail(message);
    return;
  }
  explorer.schema = schema;
  builder.schema = schema;
  files.update(chosenOperation(), schema);
}

// MARK: Initialization

moveEdges();
showSession(session);
tabs = new Tabs({ query: examples[0]?.query ?? "", variables: "", headers: "" }, show, (tab) => answerOf(tab).stop());
const openShared = () => {
  const shared = sharedRequest();
  if (shared !== null) tabs.open(shared);
};
addEventListener("hashchange", openShared);
openShared();
validation.later();
showSchema();
performance.mark(`${document.documentElement.dataset.application}-ready`);
document.documentElement.dataset.ready = "true";
