import type { Context } from "../core/context.ts";
import { defineOperation } from "../core/operation.ts";
import { toOwner } from "../core/setup.ts";
import { DispatchError, failure } from "../errors/errors.ts";
import { id } from "../models/fields.ts";
import { paging, toList, toPaging } from "../models/page.ts";
import {
  CreateTenantModel,
  DeleteTenantModel,
  TenantListModel,
  TenantSettingsModel,
  tenantDefaults,
  UpdateTenantModel,
} from "../models/tenant.ts";
import { type Timestamp, toEpochMs, toTimestamp } from "../runtime/clock.ts";
import type { AccountQueries } from "../store/queries/accounts.ts";
import { isSameCode } from "../store/queries/match-key.ts";
import { toPatched } from "./record-changes.ts";
import { found } from "./records.ts";

export const listTenants = defineOperation({
  name: "tenants.list",
  summary: "List the tenants you can reach",
  route: "GET /tenants",
  query: paging,
  output: TenantListModel,
  allow: "token",
  async run({ actor, store }, { query }) {
    const wanted = toPaging(query);
    return toList(await store.accounts.tenantsOf(actor.user.uid, actor.reach, wanted), wanted);
  },
});

/** The store's operator creates tenants, so no audit trail has an entry. */
export const createTenant = defineOperation({
  name: "tenants.create",
  summary: "Create a tenant and its owner, an Admin and Dispatcher",
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
        deletes_on: null,
        email: body.email ?? null,
        frozen_reason: null,
        moved_to: null,
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

/** A person with a user in another tenant, or a new one. */
async function toOwnerUid({ service, store }: Context, sent: string | null): Promise<string> {
  const uid = sent?.toLowerCase() ?? service.makeUuid();
  if (sent === null || (await store.accounts.isPerson(uid))) return uid;
  const field = "CreateTenantModel.owner_uid";
  const detail = `${field}: no user has the uid ${sent}.`;
  throw new DispatchError([{ code: "unknown_reference", detail, field, see: { command: "users list" } }]);
}

export const updateTenant = defineOperation({
  name: "tenants.update",
  summary: "Change a tenant: its details, its truck limit, or whether it is active",
  route: "PATCH /tenants/{tenant_id}",
  params: { tenant_id: id() },
  body: UpdateTenantModel,
  output: TenantSettingsModel,
  allow: "store",
  async run({ now, store: { accounts } }, { params, body }) {
    const before = found(await accounts.findTenant(params.tenant_id), "tenant", params.tenant_id);
    await requireFreeCode(accounts, body.code ?? null, before.id, "UpdateTenantModel.code");
    const patched = toPatched(before, body);
    if (patched.is_active) requireWhole(before, now);
    // An active tenant is kept.
    const after = patched.is_active ? { ...patched, deletes_on: null, moved_to: null } : patched;
    await accounts.updateTenant(after);
    const owner = await accounts.findUser(before.id, null);
    return { ...after, owner: owner?.username ?? null };
  },
});

/** The background deletes its rows later: until then the operator can keep the tenant. */
export const deleteTenant = defineOperation({
  name: "tenants.delete",
  summary: "Deactivate a tenant, and delete all its rows after the given days, or 30",
  description:
    "Until then the operator can keep the tenant: is_active true. Afterward nothing of it is left in the store; backups still have it.",
  route: "POST /tenants/{tenant_id}/deletion",
  effect: "delete",
  params: { tenant_id: id() },
  body: DeleteTenantModel,
  output: TenantSettingsModel,
  allow: "store",
  async run({ now, store: { accounts } }, { params, body }) {
    const before = found(await accounts.findTenant(params.tenant_id), "tenant", params.tenant_id);
    requireWhole(before, now);
    const deletesOn = toTimestamp(toEpochMs(now) + (body.days ?? graceDays) * dayMs);
    const after = { ...before, deletes_on: deletesOn, is_active: false };
    await accounts.updateTenant(after);
    const owner = await accounts.findUser(before.id, null);
    return { ...after, owner: owner?.username ?? null };
  },
});

/** Another time of the deletion would let servers keep what is left. */
function requireWhole(
  { deletes_on, id }: { deletes_on: Timestamp | null; id: number },
  now: Timestamp,
): void {
  if (deletes_on === null || deletes_on > now) return;
  const detail = `Tenant ${id} has been deleted since ${deletes_on}: rows are missing. A backup has them.`;
  throw failure("state_conflict", detail);
}

const graceDays = 30;
const dayMs = 86_400_000;

async function requireFreeCode(
  accounts: AccountQueries,
  code: string | null,
  ownId: number | null,
  field: string,
): Promise<void> {
  if (code === null) return;
  // Compared here, because databases fold letters beyond ASCII differently; a store has few tenants.
  const tenants = await accounts.tenants();
  const other = tenants.find(
    ({ id, code: taken }) => id !== ownId && taken !== null && isSameCode(taken, code),
  );
  if (!other) return;
  const detail = `Tenant ${other.id} (${other.name}) has the code ${other.code} already.`;
  throw failure("duplicate_record", detail, field);
}
