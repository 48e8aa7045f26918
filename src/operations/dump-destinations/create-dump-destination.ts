import type * as z from "zod";
import { defineOperation } from "../../core/operation.ts";
import {
  CreateDumpDestinationModel,
  DumpDestinationModel,
  dumpDestinationDefaults,
} from "../../models/dump-destination.ts";
import { id } from "../../models/fields.ts";
import { addRecord, toNewFields } from "../record-changes.ts";
import { requireLocation } from "../records.ts";
import { getDumpDestination } from "./get-dump-destination.ts";

export const createDumpDestination = defineOperation({
  name: "dump-destinations.create",
  summary: "Create a dump destination",
  route: "POST /locations/{location_id}/dump_destinations",
  params: { location_id: id() },
  body: CreateDumpDestinationModel,
  output: DumpDestinationModel,
  allow: ["Admin", "Dispatcher"],
  changes: { record: getDumpDestination },
  extension: true,
  async run(context, { params, body }) {
    await requireLocation(context, params.location_id);
    const fields = toNewDumpDestination(params.location_id, body);
    return addRecord(context, "DumpDestination", context.store.dumpDestinations, fields);
  },
});

/** A dump destination that is in use. */
export function toNewDumpDestination(locationId: number, body: z.output<typeof CreateDumpDestinationModel>) {
  return toNewFields(CreateDumpDestinationModel, body, {
    ...dumpDestinationDefaults,
    location_id: locationId,
  });
}
