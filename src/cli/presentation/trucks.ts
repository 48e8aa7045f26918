import { toMarkCells } from "./marks.ts";
import type { PresentationsOf, Told } from "./presentation.ts";

/** `Truck 7 does jobs 12, 4, 9 in this order`. */
const toldOrdered: Told = {
  tell: ({ after }, view) => {
    const jobs = Array.isArray(after.jobs) ? after.jobs.join(", ") : "";
    return `${view.nameIn(after, "truck_id")} does jobs ${jobs} in this order`;
  },
  names: ["truck_id"],
};

/** What the terminal adds to the operations of trucks. */
export const trucks = {
  "trucks.list": {
    cells: toMarkCells(["require_odometer"]),
    columns: ["id", "name", "type", "driver", "weight", "marks"],
    example: "trucks list --location 1",
  },
  "trucks.all": {
    cells: toMarkCells(["require_odometer"]),
    columns: ["id", "location", "name", "type", "driver", "weight", "marks"],
    example: "trucks all",
  },
  "trucks.get": { example: "trucks get 3 --location 1" },
  "trucks.create": { example: 'trucks create --location 1 --name "Truck 7"' },
  "trucks.update": { example: "trucks update 3 --location 1 --driver-id 9" },
  "trucks.order-jobs": {
    told: toldOrdered,
    example: "trucks order-jobs 3 --location 1 --jobs 2",
    notes: `What is not named follows in its present order. \`jobs route\` proposes a short one,
\`jobs move\` moves one job.`,
  },
  "trucks.job-list-pdf": { example: "trucks job-list-pdf 3 --location 1 --out list.pdf" },
} satisfies PresentationsOf<"trucks">;
