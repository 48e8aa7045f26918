import { setTimeout as sleep } from "node:timers/promises";
import type { EndingWord, RunningServer } from "../../../core/server-factory.ts";
import type { CliContext, OptionValues } from "../../context.ts";
import { endWithin, toDrain } from "../../outcome/drain.ts";

/** When a server is to end. */
export interface Ending {
  /** Resolves with the first reason. */
  asked: Promise<EndingWord>;
  /** Resolves when it is to end with all others; it may have been replaced before. */
  stopped: Promise<unknown>;
}

/** The ending of a server on its own. */
export function toEnding(interrupted: Promise<void>): Ending {
  return { asked: interrupted.then(() => "stop"), stopped: interrupted };
}

/**
 * Waits until a server is to end, and ends it. One that stops says first that it is not ready, and serves on for as long as
 * balancers need to see that; one whose place another has taken leaves its clients' connections time to be used once more.
 */
export async function endServer(
  context: CliContext,
  options: OptionValues,
  { asked, stopped }: Ending,
  server: RunningServer,
  closeStores: () => Promise<void>,
): Promise<void> {
  const { cutMs, idleMs, lameDuckMs, ...drain } = toDrain(options);
  if ((await asked) === "stop") {
    server.drain();
    if (lameDuckMs > 0) await sleep(lameDuckMs);
    return endWithin(context, drain, server.close(cutMs).then(closeStores));
  }
  void stopped.then(() => server.close(cutMs));
  await endWithin(context, drain, server.close(cutMs, idleMs).then(closeStores));
}
