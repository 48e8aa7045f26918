import { DispatchError, errorKind } from "../errors/errors.ts";
import type { JsonObject } from "../models/json.ts";
import { createCallSender } from "./conditional-call.ts";
import { type KnownNumbers, resolvePlaceholders } from "./placeholders.ts";
import type { Calls, Plan, PlannedCall, Refuse } from "./plan.ts";
import type { SyncTarget } from "./target.ts";

/** Carries plans out. */
export interface Applier {
  /** Makes the calls of a plan. Whether the target took all of them; throws what is not the record's fault. */
  apply(plan: Plan, refuse: Refuse): Promise<boolean>;
  /** Makes the calls that had to wait until everything else is there. */
  finish(): Promise<void>;
}

/** An applier for a target; with `dryRun` every call is tried and nothing is stored. */
export function createApplier(
  target: Pick<SyncTarget, "client">,
  { dryRun = false, known = null }: { dryRun?: boolean; known?: KnownNumbers | null } = {},
): Applier {
  const late: { call: PlannedCall; refuse: Refuse }[] = [];
  const sender = createCallSender(target.client, dryRun);
  return {
    async apply(plan, refuse) {
      if (plan.action !== "create" && plan.action !== "update") return true;
      let isTaken = true;
      sender.forget();
      const refuseAndNote: Refuse = (violations) => {
        isTaken = false;
        refuse(violations);
      };
      const calls = plan.calls(refuseAndNote);
      await telling(refuseAndNote, () =>
        makeCalls(calls, async (call) => {
          if (dryRun && call.needsRecord) return {};
          if (!call.late) return sender.send(call);
          late.push({ call, refuse });
          return {};
        }),
      );
      return isTaken;
    },
    async finish() {
      for (const { call, refuse } of late.splice(0)) {
        const { references = {} } = call.late ?? {};
        const body = call.body && known ? resolvePlaceholders(known, references, call.body) : call.body;
        sender.forget();
        await telling(refuse, () => sender.send({ ...call, body }));
      }
    },
  };
}

async function makeCalls(calls: Calls, send: (call: PlannedCall) => Promise<JsonObject>): Promise<void> {
  let step = calls.next();
  while (!step.done) {
    const call = step.value;
    const sent = await send(call).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ refusal: requireRefusal(error) }),
    );
    step = "answer" in sent ? calls.next(sent.answer) : calls.throw(sent.refusal);
  }
}

async function telling(refuse: Refuse, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    refuse(requireRefusal(error).violations);
  }
}

/** Returns a refusal of one record, so that the other records continue. Rethrows every other error. */
function requireRefusal(error: unknown): DispatchError {
  if (error instanceof DispatchError && refusals.has(errorKind(error.code).status)) return error;
  throw error;
}

const refusals: ReadonlySet<number | null> = new Set([400, 404, 409, 412, 413]);
