import { auditCells, auditLearns } from "./audit-cells.ts";
import type { PresentationsOf } from "./presentation.ts";

/** What the terminal adds to the operations of audit. */
export const audit = {
  "audit.list": {
    columns: ["created_on", "username", "record", "action", "changes"],
    cells: auditCells,
    learns: auditLearns,
    example: "audit list --record Job:2",
  },
} satisfies PresentationsOf<"audit">;
