import { defineOperation } from "../../core/operation.ts";
import { paging, toList, toPaging } from "../../models/page.ts";
import { TenantListModel } from "../../models/tenant.ts";

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
