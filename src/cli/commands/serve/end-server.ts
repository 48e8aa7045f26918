import { setTimeout as sleep } from "node:timers/promises";
import type { EndingWord, RunningServer } from "../../../core/server-factory.ts";
import type { CliContext, OptionValues } from "../../context.ts";
import { endWithin, toDrain } from "../../outcome/drain.ts";

/** The requests to end a server. */
export interface Ending {
  /** Resolves with the first reason. */
  asked: Promise<EndingWord>;
  /** Resolves when all processes are to end. Another process may have replaced this one already. */
  stopped: Promise<unknown>;
}

/** The ending of a server without other processes. */
export function toEnding(interrupted: Promise<void>): Ending {
  return { asked: interrupted.then(() => "stop"), stopped: interrupted };
}

/**
 * Waits for a request to end the server, and ends it. On a stop it first reports that it is not ready, and keeps
 * serving until balancers notice. A replaced server gives its clients time to use their connections once more.
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
