import { newestSchema } from "./index.ts";
import type { Migration } from "./migration.ts";

/** The schema of the oldest program that can work with a store which has had these steps. */
export function toOldestProgram(steps: readonly Migration[]): number {
  return Math.max(0, ...steps.map((step) => step.oldestProgram));
}

/** The schema of a store, and that of the oldest program that its tables still suit. */
export interface StoreSchema {
  schema: number;
  oldestProgram: number;
}

/** Whether this program can work with a store; a newer one may tolerate it. */
export function suitsThisProgram({ oldestProgram, schema }: StoreSchema): boolean {
  return schema <= newestSchema || oldestProgram <= newestSchema;
}

/** Why this program cannot work with a newer store, with both numbers. */
export function toTooNew(store: string, { oldestProgram, schema }: StoreSchema): string {
  const suits = oldestProgram < schema ? `, which suits programs of schema ${oldestProgram} and later` : "";
  return `${store} has schema ${schema}${suits}; this program knows ${newestSchema}. Use a newer dispatch-cli.`;
}
