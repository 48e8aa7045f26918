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
  cli: { example: "haulers get 7c9e6679-7425-40de-944b-e07fc1f90ae7" },
  async run(context, { params }) {
    return requireHauler(context, params.hauler_uuid);
  },
});
