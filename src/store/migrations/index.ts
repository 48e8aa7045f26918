import { firstTables } from "./0001-first-tables.ts";
import { wholeInterface } from "./0002-whole-interface.ts";
import { usage } from "./0003-usage.ts";
import { tableRevisions } from "./0004-table-revisions.ts";
import { jobCounts } from "./0005-job-counts.ts";
import { commonNames } from "./0006-common-names.ts";
import { trust } from "./0007-trust.ts";
import { timeZones } from "./0008-time-zones.ts";
import { people } from "./0009-people.ts";
import { webhookOptions } from "./0010-webhook-options.ts";
import { oldWriters } from "./0011-old-writers.ts";
import { retention } from "./0012-retention.ts";
import { traces } from "./0013-traces.ts";
import { traceContext } from "./0014-trace-context.ts";
import { lastPlaces } from "./0015-last-places.ts";
import type { Migration } from "./migration.ts";

/** All steps in order. */
export const migrations: readonly Migration[] = [
  firstTables,
  wholeInterface,
  usage,
  tableRevisions,
  jobCounts,
  commonNames,
  trust,
  timeZones,
  people,
  webhookOptions,
  oldWriters,
  retention,
  traces,
  traceContext,
  lastPlaces,
];

/** The schema this program reads and writes. */
export const newestSchema = migrations.length;
