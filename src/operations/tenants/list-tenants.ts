import { defineOperation } from "../../core/operation.ts";
import { paging, toList, toPaging } from "../../models/page.ts";
import { TenantListModel } from "../../models/tenant.ts";
import { roles } from "../../models/user.ts";

export const listTenants = defineOperation({
  name: "tenants.list",
  summary: "List the tenants you can reach",
  method: "GET",
  path: "/tenants",
  params: {},
  query: paging,
  body: null,
  output: TenantListModel,
  roles,
  effect: "read",
  withoutTenant: true,
  async run({ actor, store }, { query }) {
    const wanted = toPaging(query);
    return toList(await store.accounts.tenantsOf(actor.user.uid, actor.reach, wanted), wanted);
  },
});
