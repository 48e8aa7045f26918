import { defineOperation } from "../../core/operation.ts";
import { DumpDestinationModel } from "../../models/dump-destination.ts";
import { id } from "../../models/fields.ts";
import { found } from "../records.ts";

export const getDumpDestination = defineOperation({
  name: "dump-destinations.get",
  summary: "Show a dump destination",
  route: "GET /locations/{location_id}/dump_destinations/{dump_destination_id}",
  params: { location_id: id(), dump_destination_id: id() },
  output: DumpDestinationModel,
  allow: "anyRole",
  async run({ store }, { params }) {
    return found(
      await store.dumpDestinations.find(params.location_id, params.dump_destination_id),
      "dump destination",
      params.dump_destination_id,
    );
  },
});
