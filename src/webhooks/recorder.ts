import { setTimeout as pause } from "node:timers/promises";
import { wholeTenant } from "../store/access/row-scopes.ts";
import type { SentAttempt } from "./attempt.ts";
import type { DeliveryService } from "./delivery-service.ts";
import { type RecordedAttempt, recordAttempts } from "./record-attempts.ts";

/** Records an attempt of a tenant; resolves when it is committed. */
export type Recorder = (tenantId: number, sent: SentAttempt) => Promise<RecordedAttempt>;

interface Waiting {
  sent: SentAttempt;
  resolve(recorded: RecordedAttempt): void;
  reject(error: unknown): void;
}

/** How long an ended attempt waits for others to share its transaction. Nothing needs the record sooner. */
const gatherMs = 10;
/** An unrecorded success would be sent twice, so recording is tried again. All tries fit into a lease. */
const triesMax = 4;
const againAfterMs = 2_000;

/** Makes a recorder. A tenant's attempts that end at nearly the same time share a transaction: commits are costly. */
export function createRecorder(service: DeliveryService): Recorder {
  const waiting = new Map<number, Waiting[]>();
  const random = () => Buffer.from(service.randomBytes(4)).readUInt32BE() / 2 ** 32;

  // Relaxed: an attempt whose record a power cut loses is made again. At least once is the promise.
  const write = (tenantId: number, batch: readonly Waiting[]) =>
    service.store.writeRelaxed({ tenantId, rowScopes: wholeTenant }, (tenant) => {
      const attempts = batch.map(({ sent }) => sent);
      const machineTime = service.machineClock.now();
      return recordAttempts(tenant, attempts, { now: service.clock.now(), machineTime, random });
    });

  async function commit(tenantId: number, waiting: readonly Waiting[]): Promise<void> {
    // All workers write webhooks in the same order, so that no two of them deadlock.
    const batch = waiting.toSorted((a, b) => a.sent.due.hook.id - b.sent.due.hook.id);
    for (let left = triesMax - 1; ; left -= 1) {
      try {
        const recorded = await write(tenantId, batch);
        for (const [index, result] of recorded.entries()) batch[index]?.resolve(result);
        return;
      } catch (error) {
        if (left === 0) {
          for (const { reject } of batch) reject(error);
          return;
        }
      }
      await pause(againAfterMs);
    }
  }

  async function commitAll(tenantId: number): Promise<void> {
    for (;;) {
      await pause(gatherMs);
      const batch = waiting.get(tenantId)?.splice(0) ?? [];
      if (batch.length === 0) break;
      await commit(tenantId, batch);
    }
    waiting.delete(tenantId);
  }

  return (tenantId, sent) =>
    new Promise((resolve, reject) => {
      const entry = { sent, resolve, reject };
      const others = waiting.get(tenantId);
      if (others) others.push(entry);
      else {
        waiting.set(tenantId, [entry]);
        void commitAll(tenantId);
      }
    });
}
