// A development server for this folder: `node serve.ts [PORT]`. It serves TypeScript without its types, as Vite does.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { stripTypeScriptTypes } from "node:module";

const types: Record<string, string> = { html: "text/html", ts: "text/javascript" };
const server = createServer(async (request, response) => {
  const name = request.url === "/" ? "index.html" : request.url!.slice(1);
  const type = types[name.split(".").pop()!];
  try {
    if (!/^[a-z]+\.(html|ts)$/.test(name)) throw new Error("not a file of this folder");
    const text = await readFile(new URL(name, import.meta.url), "utf8");
    response.setHeader("Content-Type", type).end(name.endsWith(".ts") ? stripTypeScriptTypes(text) : text);
  } catch {
    response.writeHead(404).end();
  }
});
server.listen(Number(process.argv[2] ?? 5173), "localhost", () => {
  const address = server.address() as { port: number };
  console.log(`http://localhost:${address.port}`);
});
