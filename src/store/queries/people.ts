import { type SqlBool, sql } from "kysely";
import type { Role } from "../../models/user.ts";
import type { TenantAccess, TenantQueries } from "../access/access.ts";
import { defineStatement, type Parameter } from "../access/compiled.ts";
import type { Matching } from "./pages.ts";

export type Person = { kind: "user"; roles: readonly Role[] } | { kind: "driver" };

/** Drivers and users share one series of ids. In searches for people, an id that both have means the user. */
export function peopleQueries(access: TenantAccess) {
  return {
    async find(id: number): Promise<Person | undefined> {
      const [user] = await access.run(findUser, { id });
      if (user) return { kind: "user", roles: JSON.parse(user.roles) as Role[] };
      const [driver] = await access.run(findDriver, { id });
      return driver && { kind: "driver" };
    },
    idsOf: (id: number) => findIdsOf(access, id),
  };
}

/** A person acts under a user's id and under the id of that user's driver. */
export async function findIdsOf(access: TenantAccess, id: number): Promise<readonly number[]> {
  const rows = await access.run(findTwins, { id });
  return [id, ...rows.map((twin) => twin.id)];
}

interface Id {
  id: Parameter<number>;
}

const findUser = defineStatement(({ selectUnseen }: TenantQueries, { id }: Id) =>
  selectUnseen("users").where("id", "=", id).select("roles"),
);

const findDriver = defineStatement(({ selectUnseen }: TenantQueries, { id }: Id) =>
  selectUnseen("drivers").where("id", "=", id).select("id"),
);

const findTwins = defineStatement(({ selectUnseen, tenant }: TenantQueries, { id }: Id) => {
  const asDriver = withOwnNumber({ tenant }, selectUnseen("drivers").where("id", "=", id));
  const driversOf = selectUnseen("users").where("id", "=", id).where("driver_id", "is not", null);
  const twins = selectUnseen("drivers").where("id", "in", driversOf.select("driver_id"));
  return selectUnseen("users")
    .where("driver_id", "in", asDriver)
    .select("id")
    .union(withOwnNumber({ tenant }, twins));
});

export function withOwnNumber({ tenant }: Pick<TenantQueries, "tenant">, drivers: Matching<"drivers">) {
  return drivers
    .where(
      sql<SqlBool>`not exists (select 1 from users where users.tenant_id = ${tenant} and users.id = drivers.id)`,
    )
    .select("drivers.id");
}
