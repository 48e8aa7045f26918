import type { Actor } from "../../core/actor.ts";
import { failure, throwIfAny } from "../../errors/errors.ts";
import type { UpdateJobProfile } from "../../models/job-changes.ts";
import { jobRights, mayChange, untilDispatched } from "../../models/job-rights.ts";
import { roles } from "../../models/user.ts";
import type { Job } from "../../store/queries/job-record.ts";

export function requireRights({ roles: own }: Actor, sent: UpdateJobProfile): void {
  const named = Object.entries(sent).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const refused = named.filter((name) => !mayChange(own, name));
  throwIfAny(
    refused.map((name) => {
      const field = `UpdateJobProfileModel.${name}`;
      const may = roles.filter((role) => mayChange([role], name)).join(", ");
      const detail = `${field} may be changed by ${may}; the caller acts as ${own.join(", ")}.`;
      return { code: "role_not_allowed" as const, detail, field };
    }),
  );
}

/** Unless another role of the caller allows the change. */
export function requireUndispatched({ roles: own }: Actor, job: Job, changed: readonly string[]): void {
  const name = changed.find((field) => mayChange(own, field) && !mayChange(own, field, job));
  if (name === undefined) return;
  throw failure(
    "state_conflict",
    `Job ${job.id} is dispatched: a ClientCustomer may change a job only before that. Ask a dispatcher to change it.`,
    `UpdateJobProfileModel.${name}`,
  );
}

/** For the help, at most 80 characters wide. */
export function describeJobRights(): string {
  const limited = roles.filter((role) => !jobRights[role].includes("*"));
  const lists = [...new Set(limited.map((role) => jobRights[role]))];
  const paragraphs = lists.map((rights) => {
    const those = limited.filter((role) => jobRights[role] === rights);
    const until = those.some(untilDispatched) ? ", until the job is dispatched" : "";
    return `  ${those.join(", ")}:\n${wrap(rights.join(", ") + until)}`;
  });
  return ["Roles that may change a part of a job only (else 403):", ...paragraphs].join("\n");
}

function wrap(text: string): string {
  return text.replace(/(.{1,74})(?: |$)/g, "    $1\n").trimEnd();
}
