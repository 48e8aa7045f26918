import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess, TenantQueries } from "../access/access.ts";
import { defineStatement, type Parameter, type ParametersOf } from "../access/compiled.ts";

export interface KeptRequest {
  /** null if the response is not kept. */
  answer_body: string | null;
  /** A JSON object; null if the response is not kept. */
  answer_headers: string | null;
  created_on: Timestamp;
  fingerprint: string;
  key: string;
  status: number;
  user_id: number;
}

export function idempotencyKeyQueries(access: TenantAccess) {
  return {
    async find(userId: number, key: string): Promise<KeptRequest | undefined> {
      const [row] = await access.run(findKey, { userId, key });
      return row;
    },
    async forget(userId: number, key: string): Promise<void> {
      await access.delete("idempotency_keys").where("user_id", "=", userId).where("key", "=", key).execute();
    },
    /** Runs in the transaction of the changes. A second request with the same key fails with its transaction. */
    keep(request: KeptRequest): Promise<void> {
      return access.last(access.bind(insertKey, { ...request }), () => undefined);
    },
    async hasOlder(before: Timestamp): Promise<boolean> {
      const old = access
        .selectUnseen("idempotency_keys")
        .where("created_on", "<", before)
        .select("created_on");
      return (await old.limit(1).executeTakeFirst()) !== undefined;
    },
    /** Keeps the record of the requests. Returns the number of deleted responses. */
    async forgetAnswers(limit: number): Promise<number> {
      const kept = access
        .selectUnseen("idempotency_keys")
        .where("answer_body", "is not", null)
        .select(["user_id", "key"])
        .limit(limit);
      const rows = await kept.execute();
      for (const { key, user_id } of rows)
        await access
          .update("idempotency_keys")
          .set({ answer_body: null, answer_headers: null })
          .where("user_id", "=", user_id)
          .where("key", "=", key)
          .execute();
      return rows.length;
    },
    async prune(before: Timestamp, limit: number): Promise<number> {
      const old = await access
        .selectUnseen("idempotency_keys")
        .where("created_on", "<", before)
        .select("created_on")
        .orderBy("created_on")
        .offset(limit - 1)
        .limit(1)
        .executeTakeFirst();
      const pruned = await access
        .delete("idempotency_keys")
        .where("created_on", old ? "<=" : "<", old?.created_on ?? before)
        .executeTakeFirst();
      return Number(pruned.numDeletedRows);
    },
  };
}

const findKey = defineStatement(
  ({ selectUnseen }: TenantQueries, { userId, key }: { userId: Parameter<number>; key: Parameter<string> }) =>
    selectUnseen("idempotency_keys")
      .where("user_id", "=", userId)
      .where("key", "=", key)
      .select(["answer_body", "answer_headers", "created_on", "fingerprint", "key", "status", "user_id"]),
);

const insertKey = defineStatement(({ insert }: TenantQueries, request: ParametersOf<KeptRequest>) =>
  insert("idempotency_keys", request),
);

/** How long the response of a request with an Idempotency-Key is stored. */
export const answersKeptMs = 24 * 60 * 60 * 1000;
