import { baseline } from "./0001-baseline.ts";
import type { Migration } from "./migration.ts";

/** All steps in order. */
export const migrations: readonly Migration[] = [baseline];

/** The schema this program reads and writes. */
export const newestSchema = migrations.length;
