// What the check uses of Node. With npm, `@types/node` has all of it.
declare const process: { argv: string[]; exit(code: number): never };

declare module "node:fs/promises" {
  export function readFile(path: string): Promise<Uint8Array>;
}
