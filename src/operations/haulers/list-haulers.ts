import { defineOperation } from "../../core/operation.ts";
import { ThirdPartyHaulerListModel } from "../../models/hauler.ts";
import { paging, toList, toPaging } from "../../models/page.ts";
import { toKnownHaulers } from "./known-haulers.ts";

export const listHaulers = defineOperation({
  name: "haulers.list",
  summary: "List third-party haulers, by name",
  route: "GET /haulers",
  query: paging,
  output: ThirdPartyHaulerListModel,
  allow: ["Admin", "Dispatcher", "ThirdPartyDispatcher"],
  async run({ actor, store }, { query }) {
    const wanted = toPaging(query);
    return toList(await store.haulers.page(toKnownHaulers(actor), wanted), wanted);
  },
});
