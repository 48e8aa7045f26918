import { searchPartsOnRemoval } from "../search/sqlite-index.ts";
import type { Migration } from "./migration.ts";
import { numbered, text, toTenantWall } from "./postgres-parts.ts";
import { toRevisionTriggers } from "./sqlite-parts.ts";
import { toStatistics } from "./statistics.ts";

/**
 * How long each tenant keeps what (OP-335) and what became of it, and which records were erased (OP-337). The search index
 * forgets words that no record has any more, on SQLite by a trigger; before, their parts stayed.
 */
export const retention: Migration = {
  name: "retention",
  number: 12,
  phase: "expand",
  oldestProgram: 10,
  postgres: `
    create table retention (
      tenant_id bigint not null references tenants (id), kind ${text} not null, kept_for ${text},
      applied_on timestamp(6), removed bigint not null default 0, removed_on timestamp(6),
      primary key (tenant_id, kind)
    );
    create table erasures (
      ${numbered}, after_id bigint not null default 0, attempts_after bigint not null default 0,
      erased_on timestamp(6) not null, finished_on timestamp(6), rows_changed bigint not null default 0,
      record_id bigint not null, record_type ${text} not null, step bigint not null default 0, user_id bigint not null
    );
    create index erasures_unfinished on erasures (tenant_id, id) where finished_on is null;
    delete from search_parts where not exists (select 1 from search_words
      where search_words.tenant_id = search_parts.tenant_id and search_words.word = search_parts.word);
    ${toTenantWall(["retention", "erasures"])}
  `,
  sqlite: `
    create table retention (
      tenant_id integer not null references tenants (id), kind text not null, kept_for text,
      applied_on text, removed integer not null default 0, removed_on text,
      primary key (tenant_id, kind)
    ) strict, without rowid;
    create table erasures (
      id integer primary key autoincrement, tenant_id integer not null references tenants (id),
      after_id integer not null default 0, attempts_after integer not null default 0,
      erased_on text not null, finished_on text, rows_changed integer not null default 0,
      record_id integer not null, record_type text not null, step integer not null default 0, user_id integer not null
    ) strict;
    create index erasures_unfinished on erasures (tenant_id, id) where finished_on is null;
    create index gps_events_by_tenant on gps_events (tenant_id, id);
    create index chat_messages_by_tenant on chat_messages (tenant_id, id);
    ${toStatistics({
      chat_messages: { chat_messages_by_tenant: "1000000 100000 1" },
      gps_events: { gps_events_by_tenant: "1000000 100000 1" },
    })}
    ${searchPartsOnRemoval()}
    ${toRevisionTriggers(["erasures", "retention"])}
  `,
};
