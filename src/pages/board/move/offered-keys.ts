import { boardKeys } from "../../../board/board-keys.ts";
import { mayChange } from "../../../models/job-rights.ts";
import { offeredVerbs } from "../../../models/job-verbs.ts";
import type { Session } from "../../session/session.ts";
import type { Job } from "../state/read-day.ts";

type Key = (typeof boardKeys)[number];

/** The keys that do something on a page for whoever is signed in: what a role may not do is not offered (OP-383). */
export function offeredKeys(session: Session): Key[] {
  // The arrows are told of by the page itself, and nobody leaves it by a key.
  return boardKeys.filter(({ name }) => name !== "q" && name !== "up" && isOffered(session, name));
}

function isOffered({ mayCall, roles }: Session, name: Key["name"]): boolean {
  if (name === "c") return mayChange(roles, "is_completed");
  if (name === "f") return mayChange(roles, "is_failed");
  if (name === "n") return mayCall("jobs.create");
  if (name === "u") return mayUndo({ mayCall, roles });
  return ["a", "m", "s"].includes(name) ? mayCall("jobs.dispatch") : true;
}

/** Whether a user moves or reports jobs, and always has Undo. A user who only writes notes has Undo beside the change. */
export function mayUndo({ mayCall, roles }: Pick<Session, "mayCall" | "roles">): boolean {
  return mayCall("jobs.dispatch") || mayChange(roles, "is_completed");
}

/** Whether a key that is a verb does something with a job as it is. */
export function mayDo({ roles }: Session, job: Job | undefined, verb: "complete" | "fail"): boolean {
  return job !== undefined && offeredVerbs(job, roles).includes(verb);
}
