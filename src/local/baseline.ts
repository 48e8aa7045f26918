import type { Service } from "../core/service.ts";
import { isPostgresAddress } from "../store/postgres/address.ts";
import { resetSqliteFile } from "../store/sqlite/reset-file.ts";
import { openService, type ServiceOptions } from "./open-service.ts";

/** What a sandbox store held at a moment. */
export interface Baseline {
  /** Opens the store as it was then, as a new service; what serves the old one must have stopped, and closes it. */
  restore(): Promise<Service>;
}

/**
 * Remembers what a store holds, in memory. null for a store in PostgreSQL and for one of more than 256 MiB. `options` are
 * those that the service was opened with.
 */
export async function takeBaseline(service: Service, options: ServiceOptions): Promise<Baseline | null> {
  if (isPostgresAddress(options.data)) return null;
  const image = await service.store.database.image(imageBytesMax);
  if (image === null) return null;
  return {
    async restore() {
      if (options.inMemory) return openService({ ...options, inMemory: { image } });
      resetSqliteFile(options.data, image);
      return openService(options);
    },
  };
}

const imageBytesMax = 256 * 1024 * 1024;
