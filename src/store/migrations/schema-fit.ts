import { type Migration, newestSchema } from "./index.ts";

export function toOldestProgram(steps: readonly Migration[]): number {
  return Math.max(0, ...steps.map((step) => step.oldestProgram));
}

export interface StoreSchema {
  schema: number;
  oldestProgram: number;
}

export function suitsThisProgram({ oldestProgram, schema }: StoreSchema): boolean {
  return schema <= newestSchema || oldestProgram <= newestSchema;
}

export function toTooNew(store: string, { oldestProgram, schema }: StoreSchema): string {
  const suits = oldestProgram < schema ? `, which suits programs of schema ${oldestProgram} and later` : "";
  return `${store} has schema ${schema}${suits}; this program knows ${newestSchema}. Use a newer dispatch-cli.`;
}
