import { type BoardUndo, openBoardUndo } from "../../../../board/board-undo.ts";
import { DispatchError } from "../../../../errors/errors.ts";
import type { AnswerNamed, Client } from "../../../../operations/client.ts";

/** Takes back what was done at a terminal, in a store and on a server alike. */
export type DeskUndo = BoardUndo<AnswerNamed<"audit.undo">>;

/** Knows the user's last change before any is made here. */
export function openDeskUndo(client: Client): Promise<DeskUndo> {
  return openBoardUndo({
    last: () => client.call("audit.last", { query: { record_type: "Job" } }),
    undo: (audit_id, dryRun) => client.call("audit.undo", { params: { audit_id }, dryRun }),
    isRefusal: (error, code) => error instanceof DispatchError && error.code === code,
  });
}
