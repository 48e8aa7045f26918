import { setTimeout as sleep } from "node:timers/promises";
import type { EndingWord, RunningServer } from "../../../core/server-factory.ts";
import type { CliContext, OptionValues } from "../../context.ts";
import { endWithin, toDrain } from "../../outcome/drain.ts";

export interface Ending {
  /** Resolves with the first reason. */
  asked: Promise<EndingWord>;
  /** Resolves when all processes are to end, also if a successor runs. */
  stopped: Promise<unknown>;
}

export function toEnding(interrupted: Promise<void>): Ending {
  return { asked: interrupted.then(() => "stop"), stopped: interrupted };
}

/** A stopping server reports not ready, and serves until load balancers notice. */
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
