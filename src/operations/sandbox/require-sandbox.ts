import type { Service } from "../../core/service.ts";
import type { SandboxControl } from "../../core/serving.ts";
import { type DispatchError, failure } from "../../errors/errors.ts";

/** What a server of a sandbox store lends. Throws state_conflict in every other process. */
export function requireSandbox({ serving }: Pick<Service, "serving">): SandboxControl {
  if (serving?.sandbox) return serving.sandbox;
  throw noSandbox();
}

/** Said of every store and server that is no sandbox: nothing was done. */
export const noSandbox = (): DispatchError =>
  failure(
    "state_conflict",
    "This is no server of a sandbox store, so there is nothing of this kind; nothing was done.",
  );
