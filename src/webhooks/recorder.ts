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

/** For so long an attempt that has ended waits for others; nothing depends on it being recorded sooner. */
const gatherMs = 10;
/** A store that is away for a moment should not make a receiver get twice what it has taken; the lease lasts longer. */
const triesMax = 4;
const againAfterMs = 2_000;

/** Attempts of a tenant that end at nearly the same time share a transaction: a commit costs more than what is in it. */
export function createRecorder(service: DeliveryService): Recorder {
  const waiting = new Map<number, Waiting[]>();
  const random = () => Buffer.from(service.randomBytes(4)).readUInt32BE() / 2 ** 32;

  // Lost with the machine, an attempt would be made again: at least once is the promise.
  const write = (tenantId: number, batch: readonly Waiting[]) =>
    service.store.writeRelaxed({ tenantId, rowScopes: wholeTenant }, (tenant) => {
      const attempts = batch.map(({ sent }) => sent);
      const machineTime = service.machineClock.now();
      return recordAttempts(tenant, attempts, { now: service.clock.now(), machineTime, random });
    });

  async function commit(tenantId: number, waiting: readonly Waiting[]): Promise<void> {
    // All workers take webhooks in the same order, so that no two wait for each other.
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
