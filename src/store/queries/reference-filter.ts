import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { TenantAccess } from "../access/access.ts";
import { toPlainText, wordCharsMax } from "../search/plain-text.ts";

/** The numbers of the texts in search/sources.ts. */
const fields = { customer_locations: 5, jobs: 4 } as const;

/** As in `toSourceText`: the index has less of a longer text. */
const indexedCharsMax = 300;

/**
 * Whether a row's record may have this reference number, by the search index, which has each reference number as one word
 * too. The caller compares the text itself.
 */
export function mayHaveReference(
  { tenantId }: TenantAccess,
  table: keyof typeof fields,
  reference: string,
): RawBuilder<SqlBool> {
  const stored = JSON.stringify(reference).slice(1, -1);
  const text = table === "jobs" ? stored.replaceAll("\\\\", "  ").replaceAll('\\"', "  ") : reference;
  const word = [...toPlainText(text).replaceAll(" ", "")].slice(0, wordCharsMax).join("");
  if (word === "" || stored.length > indexedCharsMax) return sql<SqlBool>`true`;
  const id = sql.ref(table === "jobs" ? "jobs.id" : "customer_locations.customer_id");
  return sql<SqlBool>`${id} in (select record_id from search_words
    where tenant_id = ${tenantId} and field = ${fields[table]} and word = ${word})`;
}
