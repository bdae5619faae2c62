// What the check of the hooks uses of React's test renderer.

declare module "react-test-renderer" {
  import type { ReactElement } from "react";

  export function act(run: () => Promise<void> | void): Promise<void>;
  export function create(element: ReactElement): { update(element: ReactElement): void; unmount(): void };
}
