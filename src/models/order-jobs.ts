import { id } from "./fields.ts";
import { defineModel, list, optional } from "./model.ts";

/** An order for the jobs of a truck on a day. */
export const OrderJobsModel = defineModel("OrderJobsModel", {
  jobs: list(id(), { distinct: true, max: 1000, min: 1 }).describe(
    "jobs of the truck on one day, in the order in which they are to be done; its others follow as they were",
  ),
  was: optional(list(id(), { distinct: true, max: 1000 })).describe(
    "all its jobs of that day in the order that is replaced; refused where it is another by now",
  ),
});

/** The order that the jobs of a truck have on a day. */
export const JobOrderModel = defineModel("JobOrderModel", {
  changed: list(id()).describe("the jobs whose priority was changed for it"),
  jobs: list(id()).describe("in the order in which they are to be done"),
  truck_id: id(),
});
