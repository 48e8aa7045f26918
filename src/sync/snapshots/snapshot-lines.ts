import { newestVersion } from "../../models/api-versions.ts";
import type { SnapshotRecord } from "../snapshot-record.ts";

/** The form of the file; a program that reads another form refuses the file. */
export const snapshotFormat = 1;

export const headType = "dispatch-export";
export const endType = "dispatch-export-end";

/** The first line of a snapshot. */
export function toHeadLine(tenant: { name: string }): string {
  return toLine({
    type: headType,
    format: snapshotFormat,
    api_version: newestVersion,
    tenant: { name: tenant.name },
  });
}

/** A line for each record. */
export function toRecordLine(type: string, record: SnapshotRecord): string {
  return toLine({ type, record });
}

/** The last line: a file without it was cut off. */
export function toEndLine(records: number): string {
  return toLine({ type: endType, records });
}

const toLine = (value: object) => `${JSON.stringify(value)}\n`;
