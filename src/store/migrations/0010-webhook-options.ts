import type { Migration } from "./migration.ts";
import { text } from "./postgres-parts.ts";

/**
 * What a webhook's owner asks for: its own headers, a cap on its rate, the values before a change (OP-289); and which
 * deliveries are replays (OP-290).
 */
export const webhookOptions: Migration = {
  name: "webhook-options",
  number: 10,
  phase: "closed",
  oldestProgram: 10,
  postgres: `
    alter table hooks add column description ${text}, add column headers ${text},
      add column include_previous boolean not null default false, add column paced_until_ms bigint,
      add column rate_limit bigint;
    alter table events add column previous ${text};
    alter table deliveries add column is_replay boolean not null default false;
  `,
  sqlite: `
    alter table hooks add column description text;
    alter table hooks add column headers text;
    alter table hooks add column include_previous integer not null default 0;
    alter table hooks add column paced_until_ms integer;
    alter table hooks add column rate_limit integer;
    alter table events add column previous text;
    alter table deliveries add column is_replay integer not null default 0;
  `,
};
