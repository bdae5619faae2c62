// GraphQL over HTTP, to the origin of the page.

const { endpoint } = document.documentElement.dataset;
const accept = "application/graphql-response+json, application/json;q=0.9";

/**
 * Sends a request and returns its response: { status, elapsed (ms), size (bytes), headers, text, body }, where `headers` is a list
 * of names and values, and `body` the parsed JSON, or undefined if the response is not JSON. `files` are sent as a multipart request, each { path, file } with the path
 * of its variable: `["variables", "input", "image"]`.
 */
export async function send(request, { token = null, signal, headers = {}, files = [] } = {}) {
  const all = new Headers({ Accept: accept });
  if (files.length === 0) all.set("Content-Type", "application/json");
  else all.set("GraphQL-Require-Preflight", "1"); // a form could be sent from any page: this header could not
  if (token !== null) all.set("Authorization", `Bearer ${token}`);
  for (const [name, value] of Object.entries(headers)) all.set(name, value);
  const started = performance.now();
  const response = await fetch(endpoint, {
    method: "POST", headers: all, body: files.length === 0 ? JSON.stringify(request) : form(request, files), signal,
    cache: "no-store",
  });
  const bytes = await response.arrayBuffer();
  const elapsed = performance.now() - started;
  const text = new TextDecoder().decode(bytes);
  let body;
  try { body = JSON.parse(text); } catch { /* no GraphQL answer: shown as the text it is */ }
  return { status: response.status, elapsed, size: bytes.byteLength, headers: [...response.headers], text, body };
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
  const operations = structuredClone(request);
  const map = {};
  files.forEach(({ path }, number) => {
    map[number] = [path.join(".")];
    let holder = operations;
    for (const key of path.slice(0, -1)) holder = holder[key] ??= {};
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
