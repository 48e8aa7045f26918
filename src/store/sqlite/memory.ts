import type { Connection } from "./connection.ts";
import { openConnection } from "./driver.ts";
import type { RevisionWatch } from "./revision.ts";

/** Opens an empty database that no file holds. */
export function openMemory(): Connection {
  return prepare(openConnection(":memory:"));
}

/** Opens a copy of an image in memory. */
export function openImage(image: Uint8Array): Connection {
  return prepare(openConnection(Buffer.from(image.buffer, image.byteOffset, image.byteLength)));
}

function prepare(connection: Connection): Connection {
  connection.pragma("foreign_keys = ON");
  return connection;
}

/** Writes a whole database as one block of bytes; null when it has more of them. */
export function toImage(connection: Connection, bytesMax: number): Uint8Array | null {
  const pages = Number(connection.pragma("page_count", { simple: true }));
  const pageBytes = Number(connection.pragma("page_size", { simple: true }));
  if (pages * pageBytes > bytesMax) return null;
  const image = connection.serialize();
  // A file says that it has a log beside it (the versions of its format, SQLite's file format, 1.3.3); what is in memory has none.
  image.fill(1, 18, 20);
  return image;
}

/**
 * Nobody else writes to what is in memory, so that SQLite's own count of changed rows tells its commits. It counts the rows
 * of a transaction that is under way or was undone too, which is no harm: a number is never given twice.
 */
export function watchMemory(connection: Connection): RevisionWatch {
  const countChanges = connection.prepare<[], number>("select total_changes()").pluck();
  return {
    current: () => (connection.open ? (countChanges.get() ?? null) : null),
    forget: () => undefined,
    close: () => undefined,
  };
}
