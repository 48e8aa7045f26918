import { defineOperation, type RunTask } from "../../core/operation.ts";
import { Zone } from "../../local-time/zone.ts";
import { id } from "../../models/fields.ts";
import { found, requireLocation } from "../records.ts";
import { toJobListDocument } from "./job-list-document.ts";

type Printout = { list: Awaited<ReturnType<typeof toJobListDocument>>; fonts: readonly string[] };

/** Runs after the transaction: the store is not held while pages are laid out. */
async function render({ list, fonts }: Printout, runTask: RunTask) {
  const truck = list.truckName.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
  const fileName = `jobs-${truck || "truck"}-${new Zone(list.timeZone).dateOf(list.printedOn)}.pdf`;
  return { bytes: await runTask("jobListPdf", { fonts, list }), fileName };
}

export const jobListPdf = defineOperation({
  name: "trucks.job-list-pdf",
  summary: "Print the job list of a truck as PDF",
  route: "GET /locations/{location_id}/trucks/{truck_id}/get_jobs_list_pdf",
  params: { location_id: id().describe("location identifier"), truck_id: id().describe("truck identifier") },
  output: { mediaType: "application/pdf", render },
  allow: "anyRole",
  lifetime: { until: "2021/08/02" },
  async run(context, { params }) {
    const location = await requireLocation(context, params.location_id);
    const truck = found(
      await context.store.trucks.find(params.location_id, params.truck_id),
      "truck",
      params.truck_id,
    );
    return { list: await toJobListDocument(context, location, truck), fonts: context.service.fonts };
  },
});
