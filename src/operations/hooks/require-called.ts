import { failure } from "../../errors/errors.ts";
import type { Hook } from "../../store/queries/hooks.ts";

/** Refuses a webhook that was deactivated: nothing is sent to it (OP-78). */
export function requireCalled({ id, deleted_at }: Hook): void {
  if (deleted_at === null) return;
  throw failure("state_conflict", `Webhook ${id} was deactivated on ${deleted_at}; it is not called.`);
}
