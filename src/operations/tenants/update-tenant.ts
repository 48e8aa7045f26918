import { defineOperation } from "../../core/operation.ts";
import { id } from "../../models/fields.ts";
import { TenantSettingsModel, UpdateTenantModel } from "../../models/tenant.ts";
import { toPatched } from "../record-changes.ts";
import { found } from "../records.ts";
import { requireFreeCode } from "./tenant-code.ts";

/** Who has the store changes its tenants. No user of one does, so there is no audit row. */
export const updateTenant = defineOperation({
  name: "tenants.update",
  summary: "Change a tenant: its particulars, its limit, whether it is active",
  route: "PATCH /tenants/{tenant_id}",
  params: { tenant_id: id() },
  body: UpdateTenantModel,
  output: TenantSettingsModel,
  allow: "store",
  async run({ store: { accounts } }, { params, body }) {
    const before = found(await accounts.findTenant(params.tenant_id), "tenant", params.tenant_id);
    await requireFreeCode(accounts, body.code ?? null, before.id, "UpdateTenantModel.code");
    const after = toPatched(before, body);
    await accounts.updateTenant(after);
    const owner = await accounts.findUser(before.id, null);
    return { ...after, owner: owner?.username ?? null };
  },
});
