// The playground: brings the parts of the page together. Each part is a module of its own in playground/.

import { Editor } from "./playground/editor.js";
import { examples } from "./playground/examples.js";
import { recall, remember } from "./playground/memory.js";
import { operationAt, operationsIn } from "./playground/operations.js";
import { Result } from "./playground/result.js";
import { offerSchema } from "./playground/schema.js";
import { Session } from "./playground/session.js";
import { showSession } from "./playground/sign-in.js";
import { send } from "./playground/transport.js";

const element = (id) => document.getElementById(id);
const runButton = element("run");
const operationChoice = element("operation");

const session = new Session();
const query = new Editor(element("query"), { changed: queryChanged, moved: followCaret });
const variables = new Editor(element("variables"), { changed: variablesChanged });
const result = new Result((line, column) => query.show(line, column));

let operations = [];
/** Stops what is running; null when nothing is. */
let running = null;

function queryChanged() {
  remember("query", query.text);
  operations = operationsIn(query.text);
  operationChoice.replaceChildren(...operations.map(({ kind, name }, place) => new Option(name ?? kind, place)));
  operationChoice.hidden = element("operation-label").hidden = operations.length < 2;
  followCaret();
}

function followCaret() {
  if (operations.length > 1) operationChoice.value = operationAt(operations, query.caret);
}

function variablesChanged() {
  remember("variables", variables.text);
  const { problem } = readVariables();
  element("variables-error").textContent = problem ?? "";
  variables.invalid = problem !== undefined;
}

function readVariables() {
  if (variables.text.trim() === "") return {};
  try {
    const values = JSON.parse(variables.text);
    if (values !== null && typeof values === "object" && !Array.isArray(values)) return { values };
    return { problem: "Variables are one JSON object: { \"name\": value, … }." };
  } catch (error) {
    return { problem: `Not JSON yet: ${error.message}.` };
  }
}

async function run() {
  const { values, problem } = readVariables();
  if (query.text.trim() === "") {
    query.focus();
    return result.say("Write a query first, or choose an example.", "bad");
  }
  if (problem !== undefined) {
    variables.focus();
    return result.say("The variables are not a JSON object.", "bad");
  }
  const operation = operations[operations.length > 1 ? Number(operationChoice.value) : 0];
  const stop = new AbortController();
  running = stop;
  runButton.textContent = "Stop";
  result.say("Running…");
  let events = 0;
  const received = (text) => {
    if (events === 0) result.clear();
    events += 1;
    result.showEvent(text, events);
    result.say(`Listening · ${count(events)}`, "good");
  };
  const live = operation?.kind === "subscription";
  try {
    const answer = await send(
      { query: query.text, operationName: operation?.name ?? undefined, variables: values },
      { token: await session.token(), signal: stop.signal, received: live ? received : undefined },
    );
    if (answer.streamed) result.say(`Ended · ${count(events)}`);
    else result.show(answer);
  } catch {
    if (stop.signal.aborted) {
      result.say(live ? `Stopped · ${count(events)}` : "Stopped.");
    } else {
      if (events === 0) result.clear();
      result.say("The server could not be reached.", "bad");
    }
  } finally {
    running = null;
    runButton.textContent = "Run";
  }
}

const count = (events) => (events === 1 ? "1 event" : `${events} events`);

function runOrStop() {
  if (running !== null) running.abort();
  else run();
}

/** Loads an example; where somebody is signed in, with ids of their own family in its variables. */
async function load({ title, query: text, variables: values, lookup }) {
  let found;
  if (lookup && session.viewer !== null) {
    try {
      found = (await send({ query: lookup }, { token: await session.token() })).body?.data;
    } catch { /* the placeholders stay */ }
  }
  const filled = values?.(found ?? undefined);
  query.fill(text);
  variables.fill(filled === undefined ? "" : JSON.stringify(filled, null, 2));
  result.say(`Example “${title}” is in the editor.`);
  element("query").closest("section").scrollIntoView({ block: "nearest" });
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

document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.repeat) return;
  if (document.querySelector("dialog[open]")) return;
  event.preventDefault();
  if (running === null) run();
});
runButton.addEventListener("click", runOrStop);

// On a phone the query comes first to the eye: the lists above it start closed.
if (matchMedia("(max-width: 44rem)").matches) element("examples-panel").open = false;

showSession(session);
offerSchema();
// Not through fill(): there is nothing to undo yet.
element("query").value = recall("query") ?? examples[0].query;
element("variables").value = recall("variables") ?? "";
for (const id of ["query", "variables"]) element(id).dispatchEvent(new Event("input"));
