import { defineOperation } from "../../core/operation.ts";
import { uuid } from "../../models/fields.ts";
import { ThirdPartyHaulerModel } from "../../models/hauler.ts";
import { requireHauler } from "./known-haulers.ts";

export const getHauler = defineOperation({
  name: "haulers.get",
  summary: "Show a third-party hauler",
  method: "GET",
  path: "/haulers/{hauler_uuid}",
  params: { hauler_uuid: uuid() },
  query: {},
  body: null,
  output: ThirdPartyHaulerModel,
  roles: ["Admin", "Dispatcher", "ThirdPartyDispatcher"],
  effect: "read",
  async run(context, { params }) {
    return requireHauler(context, params.hauler_uuid);
  },
});
