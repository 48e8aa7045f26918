import type { BackupReport, BackupRequest } from "../../../store/backups/backup-store.ts";
import { toSize } from "../../../store/life/size.ts";
import { toShownStore } from "../../../store/postgres/address.ts";

export type BackedUp = Pick<BackupRequest, "data" | "encryption" | "env">;

export function toFacts({ data, encryption }: BackedUp, file: string, report: BackupReport) {
  const { bytes, created_on, packed_bytes, rows, schema, sha256 } = report;
  const encrypted = encryption !== null;
  const store = toShownStore(data);
  return { bytes, created_on, encrypted, file, packed_bytes, rows, schema, sha256, store, verified: true };
}

export function toSentence(
  { data, encryption }: BackedUp,
  file: string,
  { bytes, packed_bytes, rows }: Pick<BackupReport, "bytes" | "packed_bytes" | "rows">,
): string {
  const { jobs = 0, customers = 0, tenants = 0 } = rows;
  const how = encryption === null ? "" : ", encrypted";
  const counts = [toCount(tenants, "tenant"), toCount(customers, "customer"), toCount(jobs, "job")].join(
    ", ",
  );
  return `Backed up ${toShownStore(data)} to ${file}: ${counts}; ${toSize(bytes)} in ${toSize(packed_bytes)}${how}, verified.`;
}

const toCount = (count: number, label: string) => `${count} ${count === 1 ? label : `${label}s`}`;
