import { expect, it } from "vitest";
import { wholeTenant } from "../../src/store/access/row-scopes.ts";
import { sqlite } from "../support/databases.ts";
import { describeInProcess, freshHarness } from "../support/targets.ts";

describeInProcess("words without a record", (like) => {
  it.skipIf(like.database === sqlite)(
    "are forgotten in batches that end, and the words of records stay (on SQLite a trigger does so)",
    async () => {
      const { acme, globex, service, store } = await freshHarness(like);
      const partsOf = (tenantId: number) =>
        Number(
          store.query(`select count(*) as count from search_parts where tenant_id = ${tenantId}`)[0]?.count,
        );
      const word = "chr(97 + n % 26) || chr(97 + n / 26 % 26) || 'zebra' || chr(97 + n / 676)";
      for (const tenantId of [acme.tenantId, globex.tenantId])
        store.execute(`insert into search_parts (tenant_id, part, word)
          select ${tenantId}, words_parts(word), word from (select ${word} as word from generate_series(0, 2999) as n) as gone`);
      // Records use all of these words except every tenth.
      store.execute(`insert into search_words (tenant_id, word, field, record_id, row_id)
        select ${acme.tenantId}, ${word}, 1, 1, 1 from generate_series(0, 2999) as n where n % 10 > 0`);
      const kept = partsOf(acme.tenantId) - 300 * 7;
      const others = partsOf(globex.tenantId);
      const scope = { tenantId: acme.tenantId, rowScopes: wholeTenant };
      let after: number | null = 0;
      for (let batches = 0; after !== null; batches += 1) {
        expect(batches).toBeLessThan(40);
        const from: number = after;
        const { changed, lastId } = await service.store.write(scope, ({ search }) =>
          search.forgetWords(from),
        );
        // A batch has at most 100 words of eight letters, each with six inner parts and one prefix.
        expect(changed).toBeLessThanOrEqual(700);
        after = lastId;
      }
      expect([partsOf(acme.tenantId), partsOf(globex.tenantId)]).toEqual([kept, others]);
    },
  );
});
