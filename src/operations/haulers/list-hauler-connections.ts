import { defineOperation } from "../../core/operation.ts";
import { uuid } from "../../models/fields.ts";
import { ThirdPartyHaulerConnectionListModel } from "../../models/hauler.ts";
import { paging, toList, toPaging } from "../../models/page.ts";
import { toConnectionAnswer } from "./connection-answer.ts";
import { requireHauler } from "./known-haulers.ts";

export const listHaulerConnections = defineOperation({
  name: "haulers.connections",
  summary: "List the connections of a third-party hauler with the tenant",
  route: "GET /haulers/{hauler_uuid}/connections",
  params: { hauler_uuid: uuid() },
  query: paging,
  output: ThirdPartyHaulerConnectionListModel,
  allow: ["Admin", "Dispatcher", "Driver", "ThirdPartyDispatcher", "ThirdPartyDriver"],
  async run(context, { params, query }) {
    const { store } = context;
    const hauler = await requireHauler(context, params.hauler_uuid);
    const tenant = await store.tenant.get();
    const wanted = toPaging(query);
    const page = await store.haulerConnections.page(hauler.id, wanted);
    return toList({ ...page, rows: page.rows.map((row) => toConnectionAnswer(row, tenant)) }, wanted);
  },
});
