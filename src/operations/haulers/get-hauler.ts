import { defineOperation } from "../../core/operation.ts";
import { uuid } from "../../models/fields.ts";
import { ThirdPartyHaulerModel } from "../../models/hauler.ts";
import { requireHauler } from "./known-haulers.ts";

export const getHauler = defineOperation({
  name: "haulers.get",
  summary: "Show a third-party hauler",
  route: "GET /haulers/{hauler_uuid}",
  params: { hauler_uuid: uuid() },
  output: ThirdPartyHaulerModel,
  allow: ["Admin", "Dispatcher", "ThirdPartyDispatcher"],
  async run(context, { params }) {
    return requireHauler(context, params.hauler_uuid);
  },
});
