import { id } from "../../models/fields.ts";
import { TenantSettingsModel, UpdateTenantModel } from "../../models/tenant.ts";
import { defineOperation } from "../../operation.ts";
import { found } from "../records.ts";
import { requireFreeCode } from "./tenant-code.ts";

/** Who has the store changes its tenants. No user of one does, so there is no audit row. */
export const updateTenant = defineOperation({
  name: "tenants.update",
  summary: "Change a tenant: its particulars, its limit, whether it is active",
  method: "PATCH",
  path: "/tenants/{tenant_id}",
  params: { tenant_id: id() },
  query: {},
  body: UpdateTenantModel,
  output: TenantSettingsModel,
  roles: [],
  access: "store",
  effect: "write",
  cli: { example: "tenants update 1 --phone 202-555-0100 --paper a4" },
  async run({ store: { accounts } }, { params, body }) {
    const before = found(await accounts.findTenant(params.tenant_id), "tenant", params.tenant_id);
    await requireFreeCode(accounts, body.code ?? null, before.id, "UpdateTenantModel.code");
    const after = {
      ...before,
      address: keep(body.address, before.address),
      city: keep(body.city, before.city),
      code: keep(body.code, before.code),
      email: keep(body.email, before.email),
      is_active: body.is_active ?? before.is_active,
      name: body.name ?? before.name,
      paper: body.paper ?? before.paper,
      phone: keep(body.phone, before.phone),
      state: keep(body.state, before.state),
      truck_limit: keep(body.truck_limit, before.truck_limit),
      zip: keep(body.zip, before.zip),
    };
    await accounts.updateTenant(after);
    const owner = await accounts.findUser(before.id, null);
    return { ...after, owner: owner?.username ?? null };
  },
});

/** A field that is not sent stays; null empties it. */
function keep<T>(sent: T | null | undefined, kept: T | null): T | null {
  return sent === undefined ? kept : sent;
}
