import type { Migration } from "./migration.ts";
import { toStatistics } from "./statistics.ts";

/**
 * One series of ids for users and drivers (OP-94), which goes on behind the last id that either has given out; and when the
 * store changed a job last (OP-101), for jobs of before as far as the audit trail tells.
 */
export const people: Migration = {
  name: "people",
  number: 9,
  phase: "closed",
  oldestProgram: 9,
  // Names the sequence itself: it is found once, here, whatever schemas are searched later.
  postgres: `
    select setval('users_id_seq', greatest(pg_sequence_last_value('users_id_seq'),
      pg_sequence_last_value(pg_get_serial_sequence('drivers', 'id')::regclass)))
      where coalesce(pg_sequence_last_value('users_id_seq'),
        pg_sequence_last_value(pg_get_serial_sequence('drivers', 'id')::regclass)) is not null;
    alter table drivers alter column id drop identity;
    alter table drivers alter column id set default nextval('users_id_seq');

    alter table jobs add column changed_on timestamp(6);
    update jobs set changed_on = greatest(created_on, last_updated_on, (select max(audit.created_on) from audit
      where audit.tenant_id = jobs.tenant_id and audit.record_type = 'Job' and audit.record_id = jobs.id));
    alter table jobs alter column changed_on set not null;
    create index jobs_by_change on jobs (tenant_id, changed_on);
  `,
  sqlite: `
    ${toSeriesTrigger("users", "drivers")}
    ${toSeriesTrigger("drivers", "users")}
    insert into sqlite_sequence (name, seq) select other.name, 0
      from (select 'drivers' as name union all select 'users') as other
      where not exists (select 1 from sqlite_sequence as known where known.name = other.name);
    update sqlite_sequence set seq = (select max(seq) from sqlite_sequence where name in ('drivers', 'users'))
      where name in ('drivers', 'users');

    alter table jobs add column changed_on text not null default '';
    update jobs set changed_on = max(created_on, last_updated_on, coalesce((select max(audit.created_on) from audit
      where audit.tenant_id = jobs.tenant_id and audit.record_type = 'Job' and audit.record_id = jobs.id), ''));
    create index jobs_by_change on jobs (tenant_id, changed_on);
    ${toStatistics({ jobs: { jobs_by_change: "1000000 100000 1" } })}
  `,
};

/** Passes on to the other table what its twin has given out: whoever writes rows, copies too, keeps to one series. */
function toSeriesTrigger(table: string, other: string): string {
  return `create trigger ${table}_in_series_of_people after insert on ${table} begin
      insert into sqlite_sequence (name, seq) select '${other}', 0
        where not exists (select 1 from sqlite_sequence where name = '${other}');
      update sqlite_sequence set seq = new.id where name = '${other}' and seq < new.id;
    end;`;
}
