// GraphQL over HTTP, to the origin of the page.

import { exact } from "./json-object.js";
import { MergedResponse, readParts } from "./parts.js";

const { endpoint } = document.documentElement.dataset;
const accept = "application/graphql-response+json, application/json;q=0.9";

/**
 * Sends a request and returns its response: { status, elapsed (ms), size (bytes), headers, text, body, parts }, where `headers` is a
 * list of names and values, `body` the parsed JSON, or undefined if the response is not JSON, and `parts` how many parts it had.
 * `files` are sent as a multipart request, each { path, file } with the path of its variable: `["variables", "input", "image"]`.
 * With `partly({ body, parts })`, the response may come in parts, and the function is called with what has arrived after each.
 */
export async function send(request, { token = null, signal, headers = {}, files = [], partly } = {}) {
  const all = new Headers({ Accept: partly ? `multipart/mixed, ${accept}` : accept });
  if (files.length === 0) all.set("Content-Type", "application/json");
  else all.set("GraphQL-Require-Preflight", "1"); // a form could be sent from any page: this header could not
  if (token !== null) all.set("Authorization", `Bearer ${token}`);
  for (const [name, value] of Object.entries(headers)) all.set(name, value);
  const started = performance.now();
  const response = await fetch(endpoint, {
    method: "POST", headers: all, body: files.length === 0 ? JSON.stringify(request) : form(request, files), signal,
    cache: "no-store",
  });
  const isInParts = response.headers.get("Content-Type")?.startsWith("multipart/mixed");
  const content = isInParts ? await merged(response, partly) : await whole(response);
  return { status: response.status, elapsed: performance.now() - started, headers: [...response.headers], ...content };
}

async function whole(response) {
  const bytes = await response.arrayBuffer();
  const text = new TextDecoder().decode(bytes);
  let body;
  try { body = JSON.parse(text); } catch { /* no GraphQL answer: shown as the text it is */ }
  return { size: bytes.byteLength, text, body, parts: 1 };
}

async function merged(response, partly) {
  const all = new MergedResponse();
  const size = await readParts(response, (part) => {
    all.add(part);
    partly({ body: all.body, parts: all.count });
  });
  if (!all.isComplete) throw new Error("The response ended before its last part.");
  return { size, text: JSON.stringify(all.body), body: all.body, parts: all.count };
}

/** Validates a request without executing it. Returns GraphQL errors, or the cost of a valid request: { errors, cost }. */
export async function validate(request, { token = null, signal } = {}) {
  const headers = { "Content-Type": "application/json", Accept: accept };
  if (token !== null) headers.Authorization = `Bearer ${token}`;
  const response = await fetch(`${endpoint}/validate`, { method: "POST", headers, body: JSON.stringify({ ...request, extensions: { trace: true } }), signal });
  const { errors = [], extensions } = await response.json();
  return { errors, cost: extensions?.cost };
}

/** The parts of a multipart request: { operations } with null for each file, and { map } with the paths of the files. */
export function multipart(request, files) {
  const operations = JSON.parse(JSON.stringify(request), exact);
  const map = {};
  files.forEach(({ path }, number) => {
    map[number] = [path.join(".")];
    let holder = operations;
    path.slice(0, -1).forEach((key, place) => { holder = holder[key] ??= typeof path[place + 1] === "number" ? [] : {}; });
    holder[path.at(-1)] = null;
  });
  return { operations, map };
}

function form(request, files) {
  const body = new FormData();
  const { operations, map } = multipart(request, files);
  body.append("operations", JSON.stringify(operations));
  body.append("map", JSON.stringify(map));
  files.forEach(({ file }, number) => body.append(String(number), file, file.name));
  return body;
}
