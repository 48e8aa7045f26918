import type { Service } from "../../core/service.ts";
import { waitForLeases } from "../../store/store-clock.ts";
import type { CliContext } from "../context.ts";
import { tell } from "../output/tell.ts";

/** Waits until no worker of any process holds a delivery, for 20 s at most, and says so when it takes long. */
export function waitForAttempts(
  { stderr }: CliContext,
  { clock, store }: Pick<Service, "clock" | "store">,
): Promise<void> {
  return waitForLeases(
    () => store.backlog.countLeased(clock.now()),
    (count) => tell(stderr, `Waiting for deliveries that are under way (${count}), for 20 s at most.`),
  );
}
