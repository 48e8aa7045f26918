import type { Migration } from "./migration.ts";
import { text } from "./postgres-parts.ts";

/** Which trace made a change (OP-313): its audit entry says it, and the attempts of its event carry it on. */
export const traces: Migration = {
  name: "traces",
  number: 13,
  phase: "expand",
  oldestProgram: 10,
  postgres: `
    alter table audit add column trace_id ${text};
    alter table events add column trace_id ${text};
  `,
  sqlite: `
    alter table audit add column trace_id text;
    alter table events add column trace_id text;
  `,
};
