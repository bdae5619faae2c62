// A request as code for several languages, with its files for curl. The token is read from the environment, so that the code contains no secret.

import { multipart } from "./transport.js";

/** The environment variable that holds the token. */
const variable = `${document.documentElement.dataset.application.toUpperCase()}_TOKEN`;
const pretty = (value, margin = "") => JSON.stringify(value, null, 2).replaceAll("\n", `\n${margin}`);
const shellQuoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const jsonBody = ({ query, variables, operationName }) => ({
  query, ...(operationName ? { operationName } : {}), ...(variables ? { variables } : {}),
});

function python(value, margin = "") {
  const inner = `${margin}    `;
  if (value === null) return "None";
  if (JSON.isRawJSON?.(value)) return JSON.stringify(value);
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `[${value.map((item) => python(item, margin)).join(", ")}]`;
  if (typeof value === "object") {
    const members = Object.entries(value).map(([key, item]) => `${inner}${JSON.stringify(key)}: ${python(item, inner)},`);
    return members.length === 0 ? "{}" : `{\n${members.join("\n")}\n${margin}}`;
  }
  return JSON.stringify(value);
}

/** A text as a raw string literal of Swift with enough `#`. */
function swiftQuoted(text, margin) {
  let hashes = "#";
  while (text.includes(`"""${hashes}`) || text.includes(`\\${hashes}`)) hashes += "#";
  return `${hashes}"""\n${text.trimEnd().replaceAll(/^(?=.)/gm, margin)}\n${margin}"""${hashes}`;
}

/** The form of transport.js, with files in the current folder of curl. */
function curlForm(request, files) {
  const { operations, map } = multipart(jsonBody(request), files);
  return [
    `--form-string ${shellQuoted(`operations=${pretty(operations)}`)}`,
    `--form-string ${shellQuoted(`map=${JSON.stringify(map)}`)}`,
    ...files.map(({ file }, number) => `--form ${shellQuoted(`${number}=@"${file.name.replaceAll(/["\\]/g, "\\$&")}"`)}`),
  ];
}

export const languages = {
  curl: (request, { url, headers, files }) => [
    `curl ${request.isLive ? "--no-buffer" : "--fail-with-body"} ${shellQuoted(url)}`,
    ...(request.isLive ? ["--header 'Accept: text/event-stream'"] : []),
    files.length === 0 ? "--header 'Content-Type: application/json'" : "--header 'GraphQL-Require-Preflight: 1'",
    ...(request.isSignedIn ? [`--header "Authorization: Bearer $${variable}"`] : []),
    ...Object.entries(headers).map(([name, value]) => `--header ${shellQuoted(`${name}: ${value}`)}`),
    ...(files.length === 0 ? [`--data ${shellQuoted(pretty(jsonBody(request)))}`] : curlForm(request, files)),
  ].join(" \\\n  "),

  Swift: (request, { url, headers }) => [
    ...(request.isLive ? ["import Foundation // of Apple's: on Linux there is no URLSession.bytes\n"]
      : ["import Foundation", "#if canImport(FoundationNetworking)", "  import FoundationNetworking", "#endif\n"]),
    `var request = URLRequest(url: URL(string: ${JSON.stringify(url)})!)`,
    'request.httpMethod = "POST"',
    'request.setValue("application/json", forHTTPHeaderField: "Content-Type")',
    ...(request.isSignedIn
      ? [`let token = ProcessInfo.processInfo.environment["${variable}"] ?? ""`,
        'request.setValue("Bearer \\(token)", forHTTPHeaderField: "Authorization")'] : []),
    ...Object.entries(headers).map(([name, value]) =>
      `request.setValue(${JSON.stringify(value)}, forHTTPHeaderField: ${JSON.stringify(name)})`),
    `let body = ${swiftQuoted(pretty(jsonBody(request)), "  ")}`,
    "request.httpBody = Data(body.utf8)",
    ...(request.isLive
      ? ['request.setValue("text/event-stream", forHTTPHeaderField: "Accept")',
        "let (bytes, _) = try await URLSession.shared.bytes(for: request)",
        "for try await line in bytes.lines { print(line) }"]
      : ["let (data, _) = try await URLSession.shared.data(for: request)",
        "print(String(decoding: data, as: UTF8.self))"]),
  ].join("\n"),

  TypeScript: (request, { url, headers }) => [
    `const response = await fetch(${JSON.stringify(url)}, {`,
    '  method: "POST",',
    "  headers: {",
    '    "Content-Type": "application/json",',
    ...(request.isLive ? ['    Accept: "text/event-stream",'] : []),
    ...(request.isSignedIn ? [`    Authorization: \`Bearer \${process.env.${variable}}\`,`] : []),
    ...Object.entries(headers).map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`),
    "  },",
    `  body: JSON.stringify(${pretty(jsonBody(request), "  ")}),`,
    "});",
    ...(request.isLive
      ? ["const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();",
        "for (;;) {",
        "  const { done, value } = await reader.read();",
        "  if (done) break;",
        "  console.log(value);",
        "}"]
      : ["const { data, errors } = await response.json();", "console.log(data, errors);"]),
  ].join("\n"),

  Python: (request, { url, headers }) => [
    "import json",
    "import os",
    "import urllib.request",
    "",
    `body = ${python(jsonBody(request))}`,
    "request = urllib.request.Request(",
    `    ${JSON.stringify(url)},`,
    "    data=json.dumps(body).encode(),",
    "    headers={",
    '        "Content-Type": "application/json",',
    ...(request.isLive ? ['        "Accept": "text/event-stream",'] : []),
    ...(request.isSignedIn ? [`        "Authorization": f"Bearer {os.environ['${variable}']}",`] : []),
    ...Object.entries(headers).map(([name, value]) => `        ${JSON.stringify(name)}: ${JSON.stringify(value)},`),
    "    },",
    ")",
    "with urllib.request.urlopen(request) as response:",
    ...(request.isLive
      ? ["    for line in response:", '        print(line.decode(), end="")']
      : ["    print(json.load(response))"]),
  ].join("\n"),
};
