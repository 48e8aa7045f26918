import type { Service } from "../../core/service.ts";
import type { CliContext } from "../context.ts";
import { tell } from "../output/tell.ts";

/** Longer than an attempt of a delivery can take (OP-77: 15 s). */
const waitMsMax = 20_000;
const lookEveryMs = 50;
const toldAfterMs = 1000;

/** Waits until no worker of any process holds a delivery, for 20 s at most, and says so when it takes long. */
export async function waitForAttempts(
  { stderr }: CliContext,
  { clock, store }: Pick<Service, "clock" | "store">,
): Promise<void> {
  for (let waitedMs = 0; waitedMs < waitMsMax; waitedMs += lookEveryMs) {
    const count = await store.backlog.countLeased(clock.now());
    if (count === 0) return;
    if (waitedMs === toldAfterMs)
      tell(stderr, `Waiting for deliveries that are under way (${count}), for 20 s at most.`);
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}
