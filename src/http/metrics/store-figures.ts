import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { TimeCounts } from "../../runtime/time-counts.ts";
import type { Store } from "../../store/store.ts";
import { type Figure, toGauge, toHistogram } from "./figures.ts";

/** Where else requests wait than in the store: for their turn, and for the thread of long reads. */
export type HttpWaits = Readonly<Record<"request", TimeCounts>>;

/** What a process does with its store, without asking the store. */
export function readStoreFigures(store: Pick<Store, "activity">, waits: HttpWaits): Figure[] {
  const { connections, connectionsMax, waits: storeWaits, writersWaiting } = store.activity();
  return [
    toGauge(
      "dispatch_store_pool_connections",
      "Connections to the store that are used and idle, and how many wait for one.",
      "sum",
      Object.entries(connections).map(([state, count]) => [{ state }, count]),
    ),
    toGauge("dispatch_store_pool_connections_max", "How many connections there may be.", "sum", [
      [{}, connectionsMax],
    ]),
    toGauge("dispatch_store_writers_waiting", "Changes that wait for other changes.", "sum", [
      [{}, writersWaiting],
    ]),
    toHistogram(
      "dispatch_store_wait_seconds",
      "How long was waited: by requests for their turn, for a connection, for other writers, for other processes that hold the file.",
      Object.entries({ ...waits, ...storeWaits }).map(([queue, counts]) => [{ queue }, counts]),
    ),
  ];
}

/** The file of a store, and the room on its disk; nothing for a database elsewhere. */
export async function readDiskFigures(store: Pick<Store, "sharedFile">): Promise<Figure[]> {
  const file = store.sharedFile();
  if (!file) return [];
  const { bavail, blocks, bsize } = await statfs(dirname(file.path));
  return [
    toGauge("dispatch_store_bytes", "Size of the store's file.", "max", [[{}, file.bytes]]),
    toGauge("dispatch_disk_free_bytes", "Room on the disk of the store.", "min", [[{}, bavail * bsize]]),
    toGauge("dispatch_disk_size_bytes", "Size of the disk of the store.", "min", [[{}, blocks * bsize]]),
  ];
}
