import { Command } from "commander";
import { failure } from "../../../errors/errors.ts";
import { type RecordType, recordTypes } from "../../../models/record-types.ts";
import { type AnswerNamed, createClient } from "../../../operations/client.ts";
import { kindOfNoun } from "../../../records/find-kind.ts";
import { isId } from "../../../records/is-id.ts";
import { addFormOption, addTargetOptions } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { parseId } from "../../input/parse-id.ts";
import { showFacts } from "../../output/show-facts.ts";
import { tell } from "../../output/tell.ts";
import { requireYes } from "../../prompts/require-yes.ts";
import { readSettings } from "../../settings.ts";
import { openTarget, type Target } from "../../target/target.ts";
import { describeUndo } from "./describe-undo.ts";

/** Takes the last change back, after showing what that would do. */
export function undoCommand(context: CliContext): Command {
  const command = new Command("undo")
    .description(
      "Take back the last change that you made, or the last one of a record. It shows what would be taken back, and asks; again, it goes one change further back. Refused, with exit code 6, when the record was changed since.",
    )
    .argument("[noun]", "a kind of record, like jobs")
    .argument("[id]", "the record, by its id or what it is called")
    .option("--dry-run", "only show what would be taken back")
    .option("--yes", "do it without asking");
  addFormOption(addTargetOptions(command)).addHelpText("after", notes);
  return command.action(async (noun: string | undefined, id: string | undefined) => {
    const { dryRun, ...options } = command.opts();
    const settings = readSettings(context, options);
    const target = await openTarget(context, settings);
    try {
      const record = noun === undefined ? {} : await findRecord(context, target, noun, id);
      const client = createClient(target.caller);
      const { id: auditId } = await client.call("audit.last", { query: record });
      const request = { params: { audit_id: auditId } };
      const plan = await client.call("audit.undo", { ...request, dryRun: true });
      const lines = await describeUndo(target, plan, settings.isUtc);
      if (dryRun === true) return showFacts(context, settings, plan, ["Would be taken back:", ...lines]);
      if (settings.form === "table" || options.yes !== true)
        for (const line of lines) tell(context.stderr, line);
      const question = `Take this back in ${target.name}, tenant ${target.tenant.id} (${target.tenant.name})?`;
      await requireYes(context, question, options);
      const undone = await client.call("audit.undo", request);
      showFacts(context, settings, undone, [toSentence(undone)]);
    } finally {
      await target.caller.close();
    }
  });
}

/** The record that words name. */
async function findRecord(
  context: CliContext,
  { caller }: Target,
  noun: string,
  word: string | undefined,
): Promise<{ record_id: number; record_type: RecordType }> {
  const kind = kindOfNoun(noun);
  const type = recordTypes.find((known) => known === kind?.type);
  if (!kind || !type)
    throw failure("usage", `There is no kind of record "${noun}" whose changes can be taken back.`);
  if (word === undefined)
    throw failure(
      "usage",
      `Name the ${kind.label} too: undo ${noun} <id>; undo alone takes your last change back.`,
    );
  const { list } = kind;
  if (isId(kind, word) || list === undefined)
    return { record_id: parseId(word, "The id"), record_type: type };
  const { resolveName } = await import("../../names/resolve-name.ts");
  const { id } = await resolveName(
    { context, caller, choose: null, tells: true },
    { ...kind, list },
    word,
    {},
  );
  return { record_id: Number(id), record_type: type };
}

function toSentence({ records }: AnswerNamed<"audit.undo">): string {
  const named = records.map(({ record_id, record_type }) => `${record_type} ${record_id}`);
  const some = named.slice(0, namedMax).join(", ");
  const others = named.length > namedMax ? ` and ${named.length - namedMax} more` : "";
  return `Taken back: ${some}${others}.`;
}

const namedMax = 5;

const notes = `
A change that several records had part in is taken back for all of them. A record
that was made is put out of use. What has no way back is said, with exit code 6.

Examples:
  dispatch-cli undo
  dispatch-cli undo jobs 2 --yes`;
