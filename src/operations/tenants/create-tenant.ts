import type { Context } from "../../core/context.ts";
import { defineOperation } from "../../core/operation.ts";
import { toOwner } from "../../core/setup.ts";
import { DispatchError } from "../../errors/errors.ts";
import { CreateTenantModel, TenantSettingsModel, tenantDefaults } from "../../models/tenant.ts";
import { requireFreeCode } from "./tenant-code.ts";

/** Who has the store makes its tenants. No user of one does, so there is no audit row. */
export const createTenant = defineOperation({
  name: "tenants.create",
  summary: "Make a tenant and its owner, who is Admin and Dispatcher",
  route: "POST /tenants",
  body: CreateTenantModel,
  output: TenantSettingsModel,
  allow: "store",
  async run(context, { body }) {
    const { now, store } = context;
    await requireFreeCode(store.accounts, body.code ?? null, null, "CreateTenantModel.code");
    const uid = await toOwnerUid(context, body.owner_uid ?? null);
    const { tenant, owner } = await store.accounts.insertTenant(
      {
        address: body.address ?? null,
        city: body.city ?? null,
        code: body.code ?? null,
        created_on: now,
        email: body.email ?? null,
        is_active: body.is_active ?? tenantDefaults.is_active,
        name: body.name,
        paper: body.paper ?? tenantDefaults.paper,
        phone: body.phone ?? null,
        state: body.state ?? null,
        time_zone: body.time_zone ?? tenantDefaults.time_zone,
        truck_limit: body.truck_limit ?? null,
        zip: body.zip ?? null,
      },
      toOwner({ username: body.owner ?? "owner", uid }, now),
    );
    return { ...tenant, owner: owner.username };
  },
});

/** The person that the owner is: one with a user in another tenant, or somebody new. */
async function toOwnerUid({ service, store }: Context, sent: string | null): Promise<string> {
  const uid = sent?.toLowerCase() ?? service.makeUuid();
  if (sent === null || (await store.accounts.isPerson(uid))) return uid;
  const field = "CreateTenantModel.owner_uid";
  const detail = `${field}: no user has the uid ${sent}.`;
  throw new DispatchError([{ code: "unknown_reference", detail, field, see: { command: "users list" } }]);
}
