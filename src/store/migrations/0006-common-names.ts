import type { Migration } from "./migration.ts";
import { toStatistics } from "./statistics.ts";

/** How many parts of an address have an index, and how many code points are in each: as address-parts.ts asks for them. */
const parts = [1, 5, 9, 13, 17, 21].map(
  (start, part) => `
    create index addresses_by_part_${part} on addresses (tenant_id, name_key, substr(match_key, ${start}, 4))
      where is_common = true;`,
);

/** Addresses of names that very many customers share are found by parts of them; of other names all are compared. */
const commonAddresses = `
    update addresses set is_common = true where (tenant_id, name_key) in
      (select tenant_id, name_key from addresses group by tenant_id, name_key having count(*) > 256);
    drop index addresses_by_match;`;

export const commonNames: Migration = {
  name: "common-names",
  number: 6,
  phase: "closed",
  oldestProgram: 6,
  postgres: `
    alter table addresses add column is_common boolean not null default false;
    ${commonAddresses}
    create index addresses_by_match on addresses (tenant_id, name_key, is_common, match_length, left(match_key, 100));
    ${parts.join("")}
  `,
  sqlite: `
    alter table addresses add column is_common integer not null default false;
    ${commonAddresses}
    create index addresses_by_match on addresses (tenant_id, name_key, is_common, match_length, match_key);
    ${parts.join("")}

    ${toStatistics({
      addresses: {
        // Common names count: the planner would else read all addresses of one rather than an index of parts.
        addresses_by_match: "150000 15000 2000 2000 1 1",
        ...Object.fromEntries(parts.map((_, part) => [`addresses_by_part_${part}`, "100000 100000 10000 1"])),
      },
    })}
  `,
};
