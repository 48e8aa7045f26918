import { DispatchError } from "../../../../errors/errors.ts";
import type { AnswerNamed, Client } from "../../../../operations/client.ts";
import type { Done } from "./desk.ts";

/** A change as the audit trail has it, and what was said of it here. */
interface Made {
  auditId: number;
  jobId: number | null;
  /** What to say of it; null where it was not made here. */
  note: string | null;
  /** It made a record, so that to take it back takes the record away. */
  isNew: boolean;
}

/** Takes changes back by their entries in the audit trail: first those that were made here, then the user's former ones. */
export interface DeskUndo {
  /** Notes the user's newest change as made here; null when there is none that was not known. */
  note(done: Done | null): Promise<Made | null>;
  /** What would be taken back next. */
  next(): Promise<Made | null>;
  /** What that would do, and stores nothing. */
  try(made: Made): Promise<AnswerNamed<"audit.undo">>;
  /** Does it. Throws state_conflict when somebody has changed a record of it since. */
  takeBack(made: Made): Promise<void>;
}

/** Knows the user's last change before any is made here. */
export async function openDeskUndo(client: Client): Promise<DeskUndo> {
  const made: Made[] = [];
  let knownId = (await readLast(client))?.auditId ?? 0;
  return {
    async note(done) {
      const last = await readLast(client);
      // What changes nothing has no entry.
      if (!last || last.auditId <= knownId) return null;
      knownId = last.auditId;
      const noted = { ...last, ...done };
      made.push(noted);
      return noted;
    },
    next: async () => made.at(-1) ?? readLast(client),
    try: ({ auditId }) => client.call("audit.undo", { params: { audit_id: auditId }, dryRun: true }),
    async takeBack({ auditId }) {
      try {
        await client.call("audit.undo", { params: { audit_id: auditId } });
      } catch (error) {
        // Whatever is refused now is refused later too.
        if (error instanceof DispatchError && error.code === "state_conflict") made.pop();
        throw error;
      }
      if (made.at(-1)?.auditId === auditId) made.pop();
      knownId = (await readLast(client))?.auditId ?? 0;
    },
  };
}

async function readLast(client: Client): Promise<Made | null> {
  try {
    const { before, id, record_id, record_type } = await client.call("audit.last");
    const jobId = record_type === "Job" ? record_id : null;
    return { auditId: id, isNew: before === null, jobId, note: null };
  } catch (error) {
    if (error instanceof DispatchError && error.code === "record_not_found") return null;
    throw error;
  }
}
