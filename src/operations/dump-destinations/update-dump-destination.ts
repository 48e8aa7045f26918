import { defineOperation } from "../../core/operation.ts";
import { DumpDestinationModel, UpdateDumpDestinationModel } from "../../models/dump-destination.ts";
import { id } from "../../models/fields.ts";
import { changeRecord, toPatched } from "../record-changes.ts";
import { found } from "../records.ts";
import { getDumpDestination } from "./get-dump-destination.ts";

export const updateDumpDestination = defineOperation({
  name: "dump-destinations.update",
  summary: "Change a dump destination, or remove it: jobs that name it keep it",
  route: "PATCH /locations/{location_id}/dump_destinations/{dump_destination_id}",
  params: { location_id: id(), dump_destination_id: id() },
  body: UpdateDumpDestinationModel,
  output: DumpDestinationModel,
  allow: ["Admin", "Dispatcher"],
  changes: { record: getDumpDestination },
  extension: true,
  async run(context, { params, body }) {
    const { dumpDestinations } = context.store;
    const before = found(
      await dumpDestinations.find(params.location_id, params.dump_destination_id),
      "dump destination",
      params.dump_destination_id,
    );
    const after = toPatched(before, body);
    return changeRecord(context, "DumpDestination", dumpDestinations, before, after);
  },
});
