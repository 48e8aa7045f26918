import type { Migration } from "./migration.ts";
import { text } from "./postgres-parts.ts";

/** What an event's attempts carry on of its trace besides the id (OP-367). */
export const traceContext: Migration = {
  name: "trace-context",
  number: 14,
  phase: "expand",
  oldestProgram: 10,
  postgres: `
    alter table events add column trace_span ${text};
    alter table events add column trace_state ${text};
  `,
  sqlite: `
    alter table events add column trace_span text;
    alter table events add column trace_state text;
  `,
};
