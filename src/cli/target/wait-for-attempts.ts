import type { Service } from "../../core/service.ts";
import { waitForLeases } from "../../store/store-clock.ts";
import type { CliContext } from "../context.ts";
import { tell } from "../output/tell.ts";

/** Waits up to 20 s, and reports a long wait. */
export function waitForAttempts(
  { stderr }: CliContext,
  { clock, store }: Pick<Service, "clock" | "store">,
): Promise<void> {
  return waitForLeases(
    () => store.backlog.countLeased(clock.now()),
    (count) => tell(stderr, `Waiting up to 20 s for running deliveries (${count}).`),
  );
}
