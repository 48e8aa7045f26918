import { isPostgresAddress } from "../store/postgres/address.ts";
import { resetSqliteFile } from "../store/sqlite/reset-file.ts";
import { openService, type ServiceOptions } from "./open-service.ts";
import type { Service } from "./service.ts";

/** The content of a sandbox store at its start. */
export interface Baseline {
  /** Opens that content as a new service, and closes the old one, which must have stopped serving. */
  restore(): Promise<Service>;
}

/** Keeps the content in memory; null for PostgreSQL, and for more than 256 MiB. */
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
