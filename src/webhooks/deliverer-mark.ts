import { startChore } from "../runtime/chore.ts";
import { toEpochMs } from "../runtime/clock.ts";
import { delivererMark } from "../store/metadata-keys.ts";
import type { DeliveryService } from "./delivery-service.ts";

const everyMs = 60_000;
/** A busy machine with an inexact clock may miss two marks. */
const freshMs = 150_000;

interface Mark {
  id: string;
  on: string;
}

/** Marks in the store, each minute, that this process delivers everything. `stop` removes the mark. */
export function startDelivererMark({ clock, makeUuid, store }: DeliveryService): {
  stop(): Promise<void>;
} {
  const id = makeUuid();
  const write = async () => {
    await clock.refresh();
    await store.metadata.set(delivererMark, JSON.stringify({ id, on: clock.unmoved() }));
  };
  // A missing mark causes only a needless warning.
  const chore = startChore(write, { firstAfterMs: 0, everyMs, onFault: () => undefined });
  return {
    async stop() {
      await chore.stop();
      const mark = await readMark(store.metadata).catch(() => null);
      if (mark?.id === id) await store.metadata.remove(delivererMark).catch(() => undefined);
    },
  };
}

/** A dead process counts for 150 s. */
export async function hasDeliverer({
  clock,
  store,
}: Pick<DeliveryService, "clock" | "store">): Promise<boolean> {
  const mark = await readMark(store.metadata);
  await clock.refresh();
  return mark !== null && Math.abs(toEpochMs(clock.unmoved()) - toEpochMs(mark.on)) < freshMs;
}

async function readMark(metadata: DeliveryService["store"]["metadata"]): Promise<Mark | null> {
  const kept = await metadata.get(delivererMark);
  return kept === undefined ? null : (JSON.parse(kept) as Mark);
}
