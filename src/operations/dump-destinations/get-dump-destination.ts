import { defineOperation } from "../../core/operation.ts";
import { DumpDestinationModel } from "../../models/dump-destination.ts";
import { id } from "../../models/fields.ts";
import { roles } from "../../models/user.ts";
import { found } from "../records.ts";

export const getDumpDestination = defineOperation({
  name: "dump-destinations.get",
  summary: "Show a dump destination",
  method: "GET",
  path: "/locations/{location_id}/dump_destinations/{dump_destination_id}",
  params: { location_id: id(), dump_destination_id: id() },
  query: {},
  body: null,
  output: DumpDestinationModel,
  roles,
  effect: "read",
  async run({ store }, { params }) {
    return found(
      await store.dumpDestinations.find(params.location_id, params.dump_destination_id),
      "dump destination",
      params.dump_destination_id,
    );
  },
});
