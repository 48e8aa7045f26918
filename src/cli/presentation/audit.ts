import type { JsonObject } from "../../models/json.ts";
import { auditCells, auditLearns, toRecordName } from "./audit-cells.ts";
import { entriesOf } from "./customer-cells.ts";
import type { PresentationsOf, Told } from "./presentation.ts";

/** `Taken back: Job 17 dispatched`. */
const toldUndone: Told = {
  tell: ({ after }) => `Taken back: ${entriesOf(after, "records").map(tellUndone).join(", ")}`,
};

const tellUndone = ({ action, record_id, record_type }: JsonObject) =>
  `${toRecordName(record_type, record_id)} ${action}`;

/** What the terminal adds to the operations of audit. */
export const audit = {
  "audit.list": {
    columns: ["created_on", "username", "record", "action", "changes"],
    cells: auditCells,
    learns: auditLearns,
    example: "audit list --record Job:2",
  },
  "audit.undo": { told: toldUndone },
} satisfies PresentationsOf<"audit">;
