import { NotedWaits } from "../runtime/noted-work.ts";
import type { TimeCounts } from "../runtime/time-counts.ts";

/**
 * What is waited for before a statement runs: a connection of this process, other writers of this process, and other
 * processes that hold a lock on a store's file.
 */
export type StoreQueue = "connection" | "writer" | "file_lock";

/** How long was waited in each of a store's queues. What need not wait counts as no time. */
export type StoreWaits = Readonly<Record<StoreQueue, TimeCounts>>;

/** What a process does with its store at this moment, and how long it has waited for it so far. */
export interface StoreActivity {
  /** `waiting` counts the callers that wait for a connection. A file has one, and a second to read beside a writer. */
  connections: { used: number; idle: number; waiting: number };
  connectionsMax: number;
  /** How many writers wait for other writers. */
  writersWaiting: number;
  waits: StoreWaits;
}

/** In seconds. */
export const waitBounds = [0.001, 0.01, 0.1, 1, 10];

export function createStoreWaits(): StoreWaits {
  return {
    connection: new NotedWaits("connection", waitBounds),
    writer: new NotedWaits("writer", waitBounds),
    file_lock: new NotedWaits("file_lock", waitBounds),
  };
}
