import { type BoardUndo, openBoardUndo } from "../../../../board/board-undo.ts";
import { DispatchError } from "../../../../errors/errors.ts";
import type { AnswerNamed, Client } from "../../../../operations/client.ts";

/** Takes back what was done at a terminal, in a store and on a server alike. */
export type DeskUndo = BoardUndo<AnswerNamed<"audit.undo">>;

/** Knows the user's last change before any is made here. */
export function openDeskUndo(client: Client): Promise<DeskUndo> {
  const isRefusal = (error: unknown, code: DispatchError["code"]) =>
    error instanceof DispatchError && error.code === code;
  return openBoardUndo({
    last: () =>
      client.call("audit.last").catch((error: unknown) => {
        if (isRefusal(error, "record_not_found")) return null;
        throw error;
      }),
    undo: (audit_id, dryRun) => client.call("audit.undo", { params: { audit_id }, dryRun }),
    isConflict: (error) => isRefusal(error, "state_conflict"),
  });
}
