import { Command } from "commander";
import type { AnswerNamed } from "../../../client/client.ts";
import { usageFailure } from "../../../errors/errors.ts";
import { type Retained, retentionKinds, retentionRules } from "../../../models/retention.ts";
import { addFormOption, addTargetOptions } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { say, tellJson } from "../../output/tell.ts";
import { toCellText } from "../../output/text.ts";
import { eachTenant } from "../../target/each-tenant.ts";
import type { Target } from "../../target/target.ts";

/** Shows how long tenants keep what. */
export function retentionShowCommand(context: CliContext): Command {
  const command = new Command("show").description(
    "Show how long the tenant keeps what, how many rows there are and how old the oldest is, how many are past their time, and when the rule was last applied and what was removed. --tenant takes several, 1,2,3, or all.",
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

/** Sets how long tenants keep what: `retention set events=30d audit=never`. */
export function retentionSetCommand(context: CliContext): Command {
  const command = new Command("set")
    .description(
      "Set how long the tenant keeps what: a time from 1s on, never (nothing is removed), or default. What is older is removed for good: by a server within the hour, by `prune` now. --tenant takes several, 1,2,3, or all.",
    )
    .argument("<rules...>", `like events=30d audit=never; the kinds are ${retentionKinds.join(", ")}`)
    .option("--dry-run", "check it, and show what would be; nothing is changed");
  addFormOption(addTargetOptions(command)).addHelpText(
    "after",
    notesOf("retention set events=30d audit=never --tenant 1,2"),
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

/** `events=30d` as a field of the body; whether the time is one, the operation says. */
function parseRules(given: readonly string[]): Partial<Record<Retained, string>> {
  const body: Partial<Record<Retained, string>> = {};
  for (const text of given) {
    const [, name = "", keptFor = ""] = /^([a-z]+)=(.+)$/.exec(text) ?? [];
    const kind = retentionKinds.find((known) => known === name);
    if (!kind || keptFor === "")
      throw usageFailure(
        `"${text}" is no rule.`,
        `Write <kind>=<time>, like events=30d or audit=never; the kinds are ${retentionKinds.join(", ")}.`,
      );
    if (body[kind] !== undefined) throw usageFailure(`${kind} is given twice.`, "Give each kind once.");
    body[kind] = keptFor;
  }
  return body;
}

/** Shows tenants as they come: people a table each, programs one list of all. */
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
What stays whatever its age:
${stays}

Example:
  dispatch-cli ${example}`;

type Rule = AnswerNamed<"retention.show">[number];

/** The rules of a tenant as lines: one a kind, aligned, and below them what stays whatever its age. */
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

/** Rows that stay whatever their age are no part of it. */
const toDue = ({ due, kept_for }: Rule) => (kept_for === "never" ? "–" : String(due));
