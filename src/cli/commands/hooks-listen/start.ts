import { randomBytes, randomUUID } from "node:crypto";
import { failure } from "../../../errors/errors.ts";
import { makeSecret } from "../../../webhooks/sign.ts";
import type { CliContext } from "../../context.ts";
import { tell } from "../../output/tell.ts";
import type { Target } from "../../target/target.ts";
import { type CursorFile, toTargetKey } from "./cursor.ts";
import type { EventLog } from "./event-log.ts";
import type { ListeningOptions } from "./listening-options.ts";

export type Start = Awaited<ReturnType<typeof findStart>>;

/** A name resumes after its last event. Throws a usage error for the name of another target. */
export async function findStart(
  target: Target,
  log: EventLog,
  { cursorFile, fromStart, secret }: ListeningOptions,
) {
  const key = toTargetKey(target.name, target.store !== null);
  const known = cursorFile?.read() ?? null;
  if (known && (known.target !== key || known.tenant !== target.tenant.id))
    throw toForeignCursor(known, cursorFile);
  const isNew = known === null;
  const after = fromStart ? null : isNew ? await log.findEnd() : known.after;
  return {
    after,
    owner: randomUUID(),
    secret: secret ?? known?.secret ?? makeSecret((count) => randomBytes(count)),
    target: key,
    tenant: target.tenant.id,
  };
}

function toForeignCursor({ target, tenant }: { target: string; tenant: number }, file: CursorFile | null) {
  const detail = `This --name belongs to ${target}, tenant ${tenant}; use another name, or remove ${file?.file}.`;
  return failure("usage", detail);
}

export function tellStart(
  context: CliContext,
  target: Target,
  asked: ListeningOptions,
  { secret }: Start,
): void {
  const where = `${target.name}, tenant ${target.tenant.id} (${target.tenant.name})`;
  tell(context.stderr, `Listening for ${asked.wanted.join(", ")} of ${where}.`);
  if (asked.forwardTo === null) return;
  tell(context.stderr, `Forwarding to ${asked.forwardTo}`);
  if (asked.secret === null) tell(context.stderr, `Signed with the secret ${secret}`);
}
