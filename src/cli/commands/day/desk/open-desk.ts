import type { Board, BoardJob } from "../../../../board/board.ts";
import { toCustomerText } from "../../../../board/job-words.ts";
import type { Client } from "../../../../client/client.ts";
import { toNotes, toPrintedAddress, toRequirements, toWhen } from "../../../../documents/job-words.ts";
import { DispatchError } from "../../../../errors/errors.ts";
import type { TypedAt } from "../../../../local-time/read-time.ts";
import type { TimeView } from "../../../../local-time/show-time.ts";
import { loadOperation } from "../../../../operations/index.ts";
import type { CliContext, OptionValues } from "../../../context.ts";
import { FailedCommand } from "../../../input/failed-command.ts";
import { toCommandFlags } from "../../../operation-command/command-operations.ts";
import { runOperation } from "../../../operation-command/run-operation.ts";
import { loadPresentation } from "../../../presentation/index.ts";
import type { Settings } from "../../../settings.ts";
import { openChanges } from "../../../target/changes.ts";
import type { Target } from "../../../target/target.ts";
import { describeUndo } from "../../undo/describe-undo.ts";
import { runDesk } from "./run-desk.ts";

export async function openDesk(
  context: CliContext,
  desk: {
    changeDay(by: number): void;
    color: boolean;
    look(): Promise<Board>;
    options: OptionValues;
    settings: Settings;
    target: Target;
    toTypedAt(locationId: number): TypedAt;
  },
): Promise<void> {
  const { interactive: _, ...options } = desk.options;
  const changes = openChanges(desk.target);
  await runDesk(context, {
    isDue: changes.isDue,
    changeDay: desk.changeDay,
    client: desk.target.client,
    color: desk.color,
    describeJob: (job) => {
      const { now, zone } = desk.toTypedAt(job.location_id);
      return describeJob(desk.target.client, job, { today: zone.dateOf(now), zone });
    },
    describeUndo: (undo) => describeUndo(desk.target, undo, desk.settings.isUtc),
    look: desk.look,
    makeJob: (day) => makeJob(context, desk.target, { ...options, scheduleDate: day }),
    toTypedAt: desk.toTypedAt,
  }).finally(() => changes.end());
}

/** Returns whether it created a job. Throws its error, except for Ctrl-C at a question. */
async function makeJob(context: CliContext, target: Target, options: OptionValues): Promise<boolean> {
  const operation = await loadOperation("jobs.create");
  const presentation = await loadPresentation("jobs.create");
  const operations = { atLocation: null, operation, presentation };
  try {
    const given = { flags: toCommandFlags(operations), operations, options, own: null };
    // The board's cached lists, such as locations, may be outdated.
    await runOperation(context, given, { ...target, client: { ...target.client } });
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === "ExitPromptError") return false;
    if (error instanceof FailedCommand && error.failure instanceof DispatchError) throw error.failure;
    throw error;
  }
}

async function describeJob(client: Client, job: BoardJob, view: TimeView): Promise<string[]> {
  const params = { job_id: job.id, location_id: job.location_id };
  const whole = await client.call("jobs.get", { params });
  const { customer } = whole;
  const { day, time } = toWhen(whole, view);
  const address = customer?.addresses.find(({ id }) => id === whole.address_id);
  const people = (customer?.contacts ?? []).map(({ email, name, number }) =>
    [name, number, email].filter(Boolean).join(" · "),
  );
  const facts: [string, string | null | undefined][] = [
    ["When", [day ?? "no date", time].filter(Boolean).join(", ")],
    ["Address", toPrintedAddress(address).join(", ")],
    ...people.map((person): [string, string] => ["Call", person]),
    ["Asset", whole.desired_asset_desc ?? whole.asset_type?.name],
    ["Reference", whole.reference_number],
    ["Needs", toRequirements(whole).join(", ")],
    ["Note", customer?.note],
    ...toNotes(whole).map(({ label, text }): [string, string] => [label, text]),
    ["Failed", whole.fail_reason],
  ];
  return [
    `Job ${job.id} · ${job.type_name} · ${toCustomerText(job)} · ${job.state}`,
    ...facts.flatMap(([label, text]) => (text ? [`${label.padEnd(11)}${text.replaceAll("\n", " · ")}`] : [])),
  ];
}
