// The playground: connects the parts of the page. Each part is a module of its own in playground/.

import { Answer } from "./playground/answer.js";
import { Builder } from "./playground/builder.js";
import { CollectionValues } from "./playground/collection-values.js";
import { commandsOf, shortcutsOf } from "./playground/commands.js";
import { Comparison } from "./playground/compare.js";
import { Connections } from "./playground/connections.js";
import { download } from "./playground/download.js";
import { moveEdges } from "./playground/edges.js";
import { Editor } from "./playground/editor.js";
import { Environments } from "./playground/environments.js";
import { examples } from "./playground/examples.js";
import { Files } from "./playground/files.js";
import { History } from "./playground/history.js";
import { exact, fillHeaders, fillVariables, readHeaders, readObject, readVariables } from "./playground/json-object.js";
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
import { hasScripts } from "./playground/memory.js";
import { tabbed } from "./playground/panels.js";
import { Palette } from "./playground/palette.js";
import { listProblems } from "./playground/problems.js";
import { Result } from "./playground/result.js";
import { Saved } from "./playground/saved.js";
import { Scripts } from "./playground/scripts.js";
import { SchemaChanges } from "./playground/schema/changes.js";
import { Explorer } from "./playground/schema/explorer.js";
import { TypeGraph } from "./playground/schema/graph.js";
import { loadSchema } from "./playground/schema/load.js";
import { SchemaSource } from "./playground/schema/source.js";
import { Session } from "./playground/session.js";
import { requestOfNextPage } from "./playground/next-page.js";
import { addressOf, sharedRequest } from "./playground/share.js";
import { listenForShortcuts } from "./playground/shortcuts.js";
import { showSession } from "./playground/sign-in.js";
import { languages } from "./playground/snippets.js";
import { Tabs } from "./playground/tabs.js";
import { costLine } from "./playground/trace.js";
import { send, validate } from "./playground/transport.js";

const element = (id) => document.getElementById(id);

let schema = null;
let tabs = null;
let environments = null;
let operations = [];
/** The tab in the editors, and for each tab that was shown the result of its request and the states of its editors. */
let shown = null;
const answers = new WeakMap();
const states = new WeakMap();

const session = new Session();
const graph = new TypeGraph(openDocumentation);
const explorer = new Explorer((typeName) => graph.open(typeName));
const source = new SchemaSource();
const schemaChanges = new SchemaChanges(openDocumentation);
const files = new Files();
const connections = new Connections(() => answerOf(tabs.current).reconnect());
const result = new Result((line, column) => query.show(line, column), turnPage);
const history = new History(({ query: text, variables: values }) => tabs.open({ query: text, variables: values, headers: "" }));
const collectionValues = new CollectionValues(valuesChanged);
const saved = new Saved(collectionValues, {
  open: ({ name, collection, query: text, variables: values, headers: given, before, after, isImported }) => {
    tabs.open({ name, collection, query: text, variables: values, headers: given, before, after, isImported });
  },
  say: toast,
  moved: (former, entry) => tabs.follow(former, entry),
});
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
const environmentValues = new Editor(element("environment-values"), {
  label: "Values of the environment", language: jsonColours, hint: '{ "name": "value" }', changed: (text) => environments?.note(text),
});
const builder = new Builder(query, variables);
environments = new Environments(collectionValues, (text) => environmentValues.turnTo(text), valuesChanged);
const scripts = new Scripts(environments, {
  note: (part) => tabs?.note(part),
  allow: (tab) => {
    tabs.allowScripts(tab);
    saved.allow(tab);
  },
  show: () => showBelow("scripts-panel"),
});

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
  operationChosen();
}

function operationChosen() {
  files.update(chosenOperation(), schema);
  connections.show(chosenOperation());
}

function chosenOperation() { return operations[operations.length > 1 ? Number(element("operation").value) : 0]; }

function variablesChanged(text) {
  tabs?.note({ variables: text });
  builder.variablesChanged();
  validation.later();
}

function headersChanged(text) {
  tabs?.note({ headers: text });
  if (tabs === null) return;
  const { problem, at = 0 } = readHeaders(text, environments.valuesOf(tabs.current));
  element("headers-error").textContent = problem ?? "";
  showFaults(headers.view, problem ? [{ from: at, to: at + 1, message: problem }] : []);
}

/** The values that the request contains as {{name}} may be others. */
function valuesChanged() {
  if (tabs === null) return;
  const { collection } = tabs.current;
  environments.showInherited(saved.has(collection) ? collection : undefined);
  headersChanged(headers.text);
  validation.later();
}

/** Shows a tab in the editors, with its undo history, its files, and the result of its request. */
function show(tab) {
  const own = states.get(tab);
  const editors = { query, variables, headers, ...scripts.editors };
  const former = shown;
  shown = tab;
  files.turnTo(tab);
  for (const [name, editor] of Object.entries(editors)) {
    const state = editor.turnTo(tab[name], own?.[name]);
    if (former !== null) states.set(former, { ...states.get(former), [name]: state });
  }
  scripts.turnTo(tab);
  valuesChanged();
  result.show(answerOf(tab));
}

// MARK: Validation while typing

const validation = new Validation(async (signal) => {
  const { value, problem, at: from = 0 } = typedVariables();
  if (problem !== undefined) {
    showFaults(variables.view, [{ from, to: from + 1, message: problem }]);
    listProblems(element("variables-error"), variables, [{ from, message: problem }]);
  }
  if (query.text.trim() === "") return { errors: [] };
  const operationName = chosenOperation()?.name ?? undefined;
  return validate({ query: query.text, operationName, variables: value ?? {} }, { token: await session.token(), signal });
}, ({ errors, cost }) => {
  element("cost").textContent = cost ? costLine(cost) : "";
  const ofVariables = errors.filter(({ extensions }) => extensions?.code === "BAD_USER_INPUT");
  const ofQuery = errors.filter((error) => !ofVariables.includes(error));
  underline(query, ofQuery, element("problems"));
  if (typedVariables().problem === undefined) underlineVariables(variables, ofVariables, element("variables-error"));
});

/** The variables in the editor, with the values that they contain as {{name}}, or the problem with them. */
function typedVariables() { return readVariables(variables.text, environments.valuesOf(tabs.current)); }

// MARK: Running

/** The request in the editors. The values of {{name}} are not yet in it: a script can change both. */
function request() {
  const { value, problem } = readObject(variables.text, "Variables", exact);
  const { value: given = {}, problem: unreadHeaders } = readObject(headers.text, "Headers");
  const { before, after } = tabs.current;
  const values = environments.valuesOf(tabs.current);
  const isFinal = before.trim() === "";
  const variableProblem = problem === undefined ? isFinal && fillVariables(value ?? {}, values).problem : "The variables are not a JSON object.";
  const headerProblem = unreadHeaders ?? (isFinal ? fillHeaders(given, values).problem : undefined);
  if (query.text.trim() === "") return { problem: "Write a query first, or choose an example.", at: query };
  if (variableProblem) return { problem: variableProblem, at: variables, panel: "variables-panel" };
  if (headerProblem !== undefined) return { problem: headerProblem, at: headers, panel: "headers-panel" };
  const operation = chosenOperation();
  const body = { query: query.text, operationName: operation?.name ?? undefined, variables: value };
  return { body, headers: given, operation: operation?.operation, before, after };
}

/** The request as it is sent: changed by its script, with the values of {{name}}. Throws an error that says why it is not sent. */
async function prepared(tab, typed, { signal, log }) {
  const { before } = typed;
  const { body, headers: given, operation } = before.trim() === ""
    ? typed : await scripts.before(tab, before, typed, { signal, log: (text) => log({ kind: "before", text }) });
  const values = environments.valuesOf(tab);
  const { value, problem } = fillHeaders(given, values);
  const { value: filled, problem: variableProblem } = fillVariables(body.variables ?? {}, values);
  if (problem ?? variableProblem) throw new Error(problem ?? variableProblem);
  return { body: { ...body, variables: body.variables && filled }, headers: value, operation };
}

async function runAfter(tab, script, received, answer) {
  const log = (text, isProblem) => answer.log({ kind: "after", text, isProblem });
  try {
    await scripts.after(tab, script, received, { log: (text) => log(text, false) });
  } catch ({ message }) {
    log(message.replace(/^t/, "T"), true);
  }
}

async function run() {
  const typed = request();
  const { problem, at, panel } = typed;
  const { current, title } = tabs;
  const { chosen } = files;
  const written = variables.text;
  const { caret } = query;
  const answer = answerOf(current);
  if (problem !== undefined) {
    if (panel) showBelow(panel);
    at.focus();
    return answer.reject(problem);
  }
  if (!(await scripts.mayRun(current))) return answer.reject("Not sent: its imported scripts are not allowed.");
  history.add({ query: typed.body.query, variables: written });
  showAnswer();
  const sent = await answer.prepare((signal) => prepared(current, typed, { signal, log: (line) => answer.log(line) }));
  if (sent === null) return undefined;
  const { body, headers: given } = sent;
  const isOwnToken = !new Headers(given).has("Authorization");
  if (sent.operation === "subscription") {
    const authorization = async () => {
      const token = isOwnToken ? await session.token() : null;
      return isOwnToken ? token && `Bearer ${token}` : new Headers(given).get("Authorization");
    };
    return answer.listen(body, { authorization, headers: given, connect: () => connections.connect }, title);
  }
  const response = await answer.ask(async (signal, partly) => {
    const token = isOwnToken ? await session.token() : null;
    // A server that allows it adds its times, which are shown beside the result.
    const received = await send({ ...body, extensions: { trace: true } }, { token, signal, headers: given, files: chosen, partly });
    session.heard(token, received.body?.errors);
    return received;
  }, { name: title, typed: { query: typed.body.query, caret, variables: typed.body.variables ?? {} } });
  return response !== null && typed.after.trim() !== "" ? runAfter(current, typed.after, response, answer) : undefined;
}

/** Runs the request again with the cursor of a list's next page. */
function turnPage(page) {
  const { value: values, problem } = readObject(variables.text, "Variables", exact);
  const next = problem ? null : requestOfNextPage({ query: query.text, caret: query.caret, variables: values ?? {} }, page);
  if (next === null) return toast(problem ?? "The query has changed since: run it again.");
  query.fill(next.query, { caret: query.caret });
  if (Object.keys(next.variables).length > 0) variables.fill(JSON.stringify(next.variables, null, 2));
  return run();
}

/** The query in the editor, as its script leaves it, to be run as several people. */
async function comparable() {
  const { current } = tabs;
  const typed = request();
  if (typed.problem !== undefined) return { problem: typed.problem };
  if (!(await scripts.mayRun(current))) return { problem: "Not sent: its imported scripts are not allowed." };
  const { body, headers: given, operation, problem } = await prepared(current, typed, { log: () => {} })
    .catch(({ message }) => ({ problem: `Not sent: ${message}` }));
  if (problem !== undefined) return { problem };
  if (operation !== "query") return { problem: "Only a query can be run as two people: a mutation would be run twice." };
  return { body, headers: Object.fromEntries(Object.entries(given).filter(([name]) => name.toLowerCase() !== "authorization")) };
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
  if (pretty === null) return toast("Not prettified: the query contains an unclosed string, or characters that are not valid in GraphQL.");
  query.fill(pretty, { caret: caretIn(pretty, query.text, query.caret) });
  for (const editor of [variables, headers]) {
    const { value } = readObject(editor.text, "", exact);
    if (value !== undefined) editor.fill(JSON.stringify(value, null, 2));
  }
}

function merge() { query.fill(mergeFragments(query.text, schema)); }

/** Does what a function of refactoring.js does at the caret. */
function refactor(change) {
  const { value = {}, problem: unread } = readObject(variables.text, "Variables");
  const { problem, ...changed } = unread || schema === null ? { problem: unread ?? "The schema is not loaded." }
    : change({ text: query.text, caret: query.caret, schema, variables: value });
  if (problem !== undefined) return toast(problem);
  query.fill(changed.text, { caret: changed.caret });
  variables.fill(Object.keys(changed.variables).length === 0 ? "" : JSON.stringify(changed.variables, null, 2));
  query.focus();
}

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
  const { body, headers: typed, operation, problem, ...own } = request();
  if (problem !== undefined) return toast(problem);
  const values = environments.valuesOf(tabs.current);
  const { value: given, problem: headerProblem } = fillHeaders(typed, values);
  const { value: filled, problem: variableProblem } = fillVariables(body.variables ?? {}, values);
  if (headerProblem ?? variableProblem) return toast(headerProblem ?? variableProblem);
  const secretless = Object.fromEntries(Object.entries(given).filter(([name]) => !/^(?:authorization|cookie)$/i.test(name)));
  const isSignedIn = session.viewer !== null || Object.keys(secretless).length < Object.keys(given).length;
  const text = languages[language]({ ...body, variables: body.variables && filled, isSignedIn, isLive: operation === "subscription" }, {
    url: location.origin + location.pathname, headers: secretless, files: files.chosen,
  });
  const left = [...(files.chosen.length === 0 || language === "curl" ? [] : ["files"]), ...(hasScripts(own) ? ["scripts"] : [])];
  return copy(text, left.length === 0 ? language : `${language}, without the ${left.join(" and the ")},`);
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
element("source-open").addEventListener("click", () => source.open(explorer.typeName));
element("saved-add").addEventListener("click", save);
element("palette-open").addEventListener("click", () => palette.open());
element("schema-reload").addEventListener("click", async () => {
  await showSchema({ isFresh: true });
  validation.later();
  if (schema !== null) toast("Schema reloaded.");
});
element("operation").addEventListener("change", () => {
  operationChosen();
  validation.later();
});
element("share").addEventListener("click", () => {
  const address = addressOf({ query: query.text, variables: variables.text });
  if (address === null) toast("The query contains a password or a token: use a variable instead, which is not shared.");
  else copy(address, hasScripts(tabs.current) ? "Address, without the scripts," : "Address");
});
element("copy-as").addEventListener("change", ({ target }) => {
  copyAs(target.value);
  target.value = "";
});
element("environment-collection-edit").addEventListener("click", () => collectionValues.open(tabs.current.collection));
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
  const named = await saved.save({ ...tab, query: query.text, variables: variables.text, headers: headers.text }, tabs.title);
  if (named === null) return;
  tabs.nameAs(tab, named);
  valuesChanged();
  if (tab === tabs.current) showTool("history-panel");
}

const page = {
  isRunning: () => answerOf(tabs.current).isRunning,
  tabs: () => tabs,
  chooseEnvironment: (place) => {
    element("environment").value = place;
    element("environment").dispatchEvent(new Event("change"));
  },
  copyQuery: () => copy(query.text, "Query"),
  goToDefinition: () => goToDefinition(query.view, query.caret, schema, openDocumentation),
  openPalette: () => palette.open(),
  prettify: prettifyAll,
  searchBuilder: () => {
    showTool("builder-panel");
    element("builder-search").focus();
  },
  showSource: () => source.open(explorer.typeName),
  showGraph: () => graph.open(explorer.typeName ?? schema?.roots.query),
  copyAs, load, merge, openTab, refactor, runOrStop, save, searchDocumentation, showBelow, showTool,
};
const palette = new Palette(() => commandsOf(page));
listenForShortcuts(shortcutsOf(page));

async function showSchema(options) {
  let token;
  try {
    token = await session.token();
    schema = await loadSchema({ ...options, token });
  } catch ({ message }) {
    explorer.fail(message);
    return;
  }
  explorer.schema = schema;
  builder.schema = schema;
  graph.schema = schema;
  source.schema = schema;
  schemaChanges.compare(schema, { isOfThisWindow: token !== null });
  files.update(chosenOperation(), schema);
}

// MARK: Initialization

moveEdges();
showSession(session);
new Comparison(session, comparable);
tabs = new Tabs({ query: examples[0]?.query ?? "", variables: "", headers: "" }, show, (tab) => answerOf(tab).stop());
const openShared = () => {
  const shared = sharedRequest();
  if (shared !== null) tabs.open(shared);
};
addEventListener("hashchange", openShared);
openShared();
valuesChanged();
showSchema();
performance.mark(`${document.documentElement.dataset.application}-ready`);
document.documentElement.dataset.ready = "true";
