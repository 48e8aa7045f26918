import type { Command } from "commander";
import type { AnswerNamed } from "../../../client/client.ts";
import { usageFailure } from "../../../errors/errors.ts";
import { keptForEver, type Retained, retentionKinds, retentionRules } from "../../../models/retention.ts";
import { addFormOption, addTargetOptions } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { say, tellJson } from "../../output/tell.ts";
import { toCellText } from "../../output/text.ts";
import { eachTenant } from "../../target/each-tenant.ts";
import type { Target } from "../../target/target.ts";
import { defineBuiltin } from "../builtin.ts";

export function retentionShowCommand(context: CliContext): Command {
  const command = defineBuiltin("show", "read").description(
    "Show the retention rules with row counts, the oldest row, expired rows, and the last deletion. --tenant takes several, 1,2,3, or all.",
  );
  addFormOption(addTargetOptions(command)).addHelpText("after", notesOf("retention show"));
  return command.action(async () => {
    const shown = createShown(context);
    await eachTenant(context, command.opts(), true, async (target, { form }) =>
      shown.add(target, form, await target.client.call("retention.show", {})),
    );
    shown.end();
  });
}

export function retentionSetCommand(context: CliContext): Command {
  const command = defineBuiltin("set", "write")
    .description(
      "Set retention rules: a duration from 1s, forever, or default. A server deletes expired data for good within the hour, `prune` deletes it now. --tenant takes several, 1,2,3, or all.",
    )
    .argument("<rules...>", `like events=30d audit=forever; kinds: ${retentionKinds.join(", ")}`)
    .option("--dry-run", "check and show the result without a change");
  addFormOption(addTargetOptions(command)).addHelpText(
    "after",
    notesOf("retention set events=30d audit=forever --tenant 1,2"),
  );
  return command.action(async (given: string[]) => {
    const { dryRun, ...options } = command.opts();
    const body = parseRules(given);
    const shown = createShown(context);
    await eachTenant(context, options, false, async (target, { form }) => {
      const rules = await target.client.call("retention.update", {
        body,
        dryRun: dryRun === true,
      });
      shown.add(target, form, rules);
    });
    shown.end();
  });
}

/** Parses `events=30d`. The operation checks the duration. */
function parseRules(given: readonly string[]): Partial<Record<Retained, string>> {
  const body: Partial<Record<Retained, string>> = {};
  for (const text of given) {
    const [, name = "", keptFor = ""] = /^([a-z]+)=(.+)$/.exec(text) ?? [];
    const kind = retentionKinds.find((known) => known === name);
    if (!kind || keptFor === "")
      throw usageFailure(
        `"${text}" is not a retention rule.`,
        `Write <kind>=<duration>, like events=30d or audit=forever. Kinds: ${retentionKinds.join(", ")}.`,
      );
    if (body[kind] !== undefined) throw usageFailure(`${kind} is given twice.`, "Give each kind once.");
    body[kind] = keptFor;
  }
  return body;
}

function createShown(context: CliContext) {
  const all: object[] = [];
  let isJson = false;
  return {
    add({ tenant }: Target, form: string, rules: AnswerNamed<"retention.show">): void {
      isJson = form !== "table";
      if (isJson) all.push({ tenant: { id: tenant.id, name: tenant.name }, rules });
      else for (const line of drawRetention(tenant, rules)) say(context.stdout, line);
    },
    end(): void {
      if (isJson) tellJson(context.stdout, all);
    },
  };
}

const stays = retentionKinds
  .filter((kind) => retentionRules[kind].stays !== "")
  .map((kind) => `  ${kind.padEnd(11)} ${retentionRules[kind].stays}`)
  .join("\n");

const notesOf = (example: string) => `
Rows that stay at any age:
${stays}

Example:
  dispatch-cli ${example}`;

type Rule = AnswerNamed<"retention.show">[number];

/** One line per rule, then the data that is never deleted. */
function drawRetention(tenant: { id: number; name: string }, rules: readonly Rule[]): string[] {
  const head = ["KIND", "KEPT FOR", "ROWS", "OLDEST", "PAST ITS TIME", "LAST APPLIED", "REMOVED"];
  const rows = rules.map((rule) => [
    rule.kind,
    rule.is_default ? `${rule.kept_for} (default)` : rule.kept_for,
    String(rule.rows),
    toTime(rule.oldest_on),
    toDue(rule),
    toTime(rule.applied_on),
    rule.removed_on === null ? "–" : `${rule.removed}, last on ${toTime(rule.removed_on)}`,
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const toLine = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return [`Tenant ${tenant.id} (${tenant.name})`, toLine(head), ...rows.map(toLine)];
}

const toTime = (moment: string | null) => (moment === null ? "–" : toCellText(moment, "second"));

/** A dash for rows that are never deleted. */
const toDue = ({ due, kept_for }: Rule) => (kept_for === keptForEver ? "–" : String(due));
