import type { Command } from "commander";
import type { AnswerNamed } from "../../../client/client.ts";
import { DispatchError, failure, usageFailure } from "../../../errors/errors.ts";
import { type RecordType, recordTypes } from "../../../models/record-types.ts";
import { kindOfName } from "../../../records/find-kind.ts";
import { recordKinds } from "../../../records/record-kinds.ts";
import { addFormOption, addTargetOptions } from "../../common-options.ts";
import type { CliContext, OptionValues } from "../../context.ts";
import { parseId } from "../../input/option-values.ts";
import { say, showFacts } from "../../output/tell.ts";
import { chooserOf } from "../../prompts/chooser.ts";
import { requireYes } from "../../prompts/require-yes.ts";
import type { Settings } from "../../settings.ts";
import { locate } from "../../target/locate.ts";
import type { Target } from "../../target/target.ts";
import { useTarget } from "../../target/use-target.ts";
import { defineBuiltin } from "../builtin.ts";
import { describeUndo, toLocalError, type UndoTold } from "./describe-undo.ts";
import { findRun, isOfSameRun, undoRun } from "./undo-run.ts";

export function undoCommand(context: CliContext): Command {
  const command = defineBuiltin("undo", "dangerous")
    .description(
      "Undo your last change, or the last change of a record. Shows the change and asks first. Run it again to undo the change before that one. Exit code 6 if the record has changed since.",
    )
    .argument("[noun]", "a kind of record, like jobs")
    .argument("[id]", "the record, by ID or name")
    .option("--dry-run", "show what would be undone")
    .option("--yes", "do not ask for confirmation");
  addFormOption(addTargetOptions(command)).addHelpText("after", notes);
  return command.action((noun: string | undefined, id: string | undefined) => {
    const { dryRun, ...options }: OptionValues = command.opts();
    return useTarget(context, options, async (target, settings) => {
      const record =
        noun === undefined
          ? {}
          : await findRecord(context, target, { form: settings.form, options }, noun, id);
      const last = await findLast(target, record);
      const run = noun === undefined ? await findRun(target, last) : [];
      if (run && run.length > 1)
        return undoRun(context, { options: { ...options, dryRun }, settings, target }, run);
      const take = async (dryRun: boolean) => {
        const undone = await takeBack(target, settings, last, dryRun);
        return { told: await describeUndo(target, undone, settings.isUtc), undone };
      };
      const { told, undone: plan } = await take(true);
      const { head, records, remarks } = told;
      if (dryRun === true)
        return showFacts(context, settings, plan, ["Would undo:", head, ...records, ...remarks]);
      if (options.yes !== true) for (const line of [head, ...records, ...remarks]) say(context.stderr, line);
      const question = `Undo this in ${target.name}, tenant ${target.tenant.id} (${target.tenant.name})?`;
      await requireYes(context, question, options);
      const { undone } = await take(false);
      showFacts(context, settings, undone, toSentences(told));
      if (settings.form !== "table") return;
      if (options.yes === true) for (const remark of remarks) say(context.stderr, remark);
      if (run === null && (await isOfSameRun(target, last)))
        say(context.stderr, "The same command made other changes too. Repeat `undo` for the next one.");
    });
  });
}

/** Throws an error with alternatives if there is nothing to undo. */
async function findLast(
  { client }: Target,
  query: { record_id?: number; record_type?: RecordType },
): Promise<AnswerNamed<"audit.last">> {
  try {
    return await client.call("audit.last", { query });
  } catch (error) {
    if (!(error instanceof DispatchError) || error.code !== "record_not_found") throw error;
    const fix =
      query.record_id === undefined
        ? "`dispatch-cli undo jobs <id>` undoes the last change of a job, by any user."
        : "Find records with `dispatch-cli find`.";
    throw new DispatchError([{ ...error.violations[0], fix }]);
  }
}

async function takeBack(
  target: Target,
  { form, isUtc }: Settings,
  { id, record_id, record_type }: AnswerNamed<"audit.last">,
  dryRun: boolean,
): Promise<AnswerNamed<"audit.undo">> {
  const { client } = target;
  try {
    return await client.call("audit.undo", { params: { audit_id: id }, dryRun });
  } catch (error) {
    if (form !== "table") throw error;
    const kind = recordKinds.find(({ type }) => type === record_type);
    const place = kind && (await locate(client, kind, String(record_id)));
    throw await toLocalError(error, target, isUtc, place?.location_id ? Number(place.location_id) : null);
  }
}

async function findRecord(
  context: CliContext,
  { client }: Target,
  { form, options }: { form: Settings["form"]; options: OptionValues },
  noun: string,
  word: string | undefined,
): Promise<{ record_id: number; record_type: RecordType }> {
  const kind = kindOfName(noun);
  const type = recordTypes.find((known) => known === kind?.type);
  if (!kind || !type)
    throw usageFailure(
      `Changes of "${noun}" cannot be undone.`,
      /^\d+$/.test(noun)
        ? `Write \`dispatch-cli undo jobs ${noun}\`.`
        : "Write, for example, `dispatch-cli undo jobs <id>`.",
    );
  if (word === undefined)
    throw failure(
      "usage",
      `Name the ${kind.label} too: undo ${kind.noun} <id>; undo alone undoes your last change.`,
    );
  const { list } = kind;
  if (list === undefined) return { record_id: parseId(word, "The id"), record_type: type };
  const { resolveText } = await import("../../names/resolve-input.ts");
  const resolving = { context, client, choose: chooserOf(context, options), tells: form === "table" };
  const { id } = await resolveText(resolving, { ...kind, list }, word, {});
  return { record_id: parseId(id, "The id"), record_type: type };
}

function toSentences({ head, records }: UndoTold): string[] {
  const others = records.length - namedMax;
  const more = others > 0 ? [`and ${others} more ${others === 1 ? "record" : "records"}`] : [];
  return [`Undone: ${head}`, ...records.slice(0, namedMax), ...more];
}

const namedMax = 5;

const notes = `
undo covers everything that your last command changed, such as all records of an
import. Users who may not list changes undo one record after the other. Undoing a
creation deactivates the record. If a change cannot be undone, the command says so
and exits with 6.

Examples:
  dispatch-cli undo
  dispatch-cli undo jobs 2 --yes`;
