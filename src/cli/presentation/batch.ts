import { entriesOf } from "./customer-cells.ts";
import type { PresentationsOf, Told } from "./presentation.ts";

/** `2 operations done`. */
const toldRun: Told = {
  tell: ({ after }) => {
    const { length } = entriesOf(after, "results");
    return `${length} ${length === 1 ? "operation" : "operations"} done`;
  },
};

/** What the terminal adds to the operations of batch. */
export const batch = {
  "batch.run": {
    told: toldRun,
    example: `batch run --operations '{"method":"PATCH","path":"/locations/1/jobs/1","body":{"dispatcher_notes":"Gated"}}' --operations '{"method":"POST","path":"/locations/1/trucks","body":{"name":"Roll-off"}}'`,
    notes: "Several jobs are changed alike, all or none, by `jobs complete 17 18 --atomic` and the like.",
  },
} satisfies PresentationsOf<"batch">;
