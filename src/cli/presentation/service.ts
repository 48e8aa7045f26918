import type { JsonObject } from "../../models/json.ts";
import { auditCells, auditLearns, toRecordName } from "./audit-cells.ts";
import { entriesOf } from "./cells.ts";
import type { PresentationsOf } from "./presentation.ts";

const tellUndone = ({ action, record_id, record_type }: JsonObject) =>
  `${toRecordName(record_type, record_id)} ${action}`;

export const presentations = {
  "requests.get": {
    example: "requests get 0198c2a4-5f1e-7c3b-9d52-6a7b8c9d0e1f",
  },
  "requests.tail": {
    columns: ["answered_on", "method", "path", "status", "duration_ms", "version", "token_name"],
    example: "requests tail --status 4xx",
  },
  "sandbox.reset": {
    told: { tell: () => "The sandbox is back at its start" },
    example: "sandbox reset",
  },
  "sandbox.clock": { example: "sandbox clock" },
  "sandbox.set-clock": {
    told: { tell: ({ after }) => `The clock shows ${after.store_time}` },
    example: "sandbox set-clock --advance 3d",
  },
  "sandbox.requests": { example: "sandbox requests --out requests.har" },
  "batch.run": {
    told: {
      tell: ({ after }) => {
        const { length } = entriesOf(after, "results");
        return `${length} ${length === 1 ? "operation" : "operations"} done`;
      },
    },
    example: `batch run --operations '{"method":"PATCH","path":"/locations/1/jobs/1","body":{"dispatcher_notes":"Gated"}}' --operations '{"method":"POST","path":"/locations/1/trucks","body":{"name":"Roll-off"}}'`,
    notes: "To change several jobs in the same way, all or none: `jobs complete 17 18 --atomic`.",
  },
  "search.find": { example: "find harbor" },
  "audit.list": {
    columns: ["created_on", "username", "record", "action", "changes"],
    cells: auditCells,
    learns: auditLearns,
    example: "audit list --record Job:2",
  },
  "audit.undo": {
    told: {
      tell: ({ after }) => `Undone: ${entriesOf(after, "records").map(tellUndone).join(", ")}`,
    },
  },
} satisfies PresentationsOf<"audit" | "batch" | "requests" | "sandbox" | "search">;
