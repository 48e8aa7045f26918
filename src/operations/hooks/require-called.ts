import { failure } from "../../errors/errors.ts";
import type { Hook } from "../../store/queries/hooks.ts";

/** Refuses a deactivated webhook: the service sends nothing to it (OP-78). Throws state_conflict. */
export function requireCalled({ id, deleted_at }: Hook): void {
  if (deleted_at === null) return;
  throw failure("state_conflict", `Webhook ${id} was deactivated on ${deleted_at}; it is not called.`);
}
