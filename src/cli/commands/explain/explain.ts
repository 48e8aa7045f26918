import type { Command } from "commander";
import { type ErrorCode, errorKind, errorTable, exitCodes, failure } from "../../../errors/errors.ts";
import { didYouMean } from "../../../errors/nearest.ts";
import { addFormOption } from "../../common-options.ts";
import { type CliContext, sizeOf } from "../../context.ts";
import { exitMeanings } from "../../help/describe-topics.ts";
import { createHelpWriter, type HelpWriter } from "../../help/fold-help.ts";
import { tellJson } from "../../output/tell.ts";
import { readSettings } from "../../settings.ts";
import { defineBuiltin } from "../builtin.ts";

export function explainCommand(context: CliContext): Command {
  const command = defineBuiltin("explain", "read")
    .description("Explain an error code, HTTP status, or exit code, and how to fix it.")
    .argument(
      "[code]",
      "an error code like too_long, a status like 409, or an exit code like 6; default: all",
    );
  addFormOption(command).addHelpText("after", "\nExample:\n  dispatch-cli explain too_long");
  return command.action((code: string | undefined) => {
    const settings = readSettings(context, command.opts());
    const facts = findCodes(code).map(toErrorFacts);
    if (settings.form !== "table") {
      const isOne = code !== undefined && Object.hasOwn(errorTable, code);
      return void tellJson(context.stdout, isOne ? facts[0] : facts);
    }
    const writer = createHelpWriter(sizeOf(context.stdout).columns);
    const [only] = facts;
    context.stdout.write(
      only && facts.length === 1 ? describeOne(writer, only) : describeAll(writer, code, facts),
    );
  });
}

const codes = Object.keys(errorTable) as ErrorCode[];

/** A code, or all codes of an HTTP status or exit code. */
function findCodes(word: string | undefined): ErrorCode[] {
  if (word === undefined) return codes;
  const normal = word.toLowerCase().replaceAll("-", "_");
  const same = codes.filter((code) => code === normal);
  if (same.length > 0) return same;
  if (!/^\d{1,3}$/.test(word)) {
    throw failure(
      "usage",
      `Unknown error code ${JSON.stringify(word)}: no error code matches.${didYouMean(normal, codes)}`,
    );
  }
  const number = Number(word);
  const found = codes.filter((code) => [errorKind(code).status, errorKind(code).exitCode].includes(number));
  if (found.length > 0 || Object.values<number>(exitCodes).includes(number)) return found;
  throw failure(
    "usage",
    `No error has the status or exit code ${word}. List all with \`dispatch-cli explain\`.`,
  );
}

function toErrorFacts(code: ErrorCode) {
  const { exitCode, explanation, fix, status, title } = errorKind(code);
  return { code, title, explanation, fix, status, exit_code: exitCode, example: errorExamples[code] ?? null };
}

type Facts = ReturnType<typeof toErrorFacts>;

function describeOne({ paragraph, terms }: HelpWriter, facts: Facts): string {
  const { code, example, exit_code, explanation, fix, status, title } = facts;
  return [
    paragraph(`${code}: ${title}.`),
    "\n",
    terms([
      ["why", explanation],
      ["fix", fix],
      ["HTTP status", status === null ? "none: only commands report it" : String(status)],
      ["exit code", `${exit_code}, ${meaningOf(exit_code)}`],
    ]),
    ...(example === null ? [] : ["\n", paragraph("Example:"), `  dispatch-cli ${example}\n`]),
  ].join("");
}

function describeAll(
  { paragraph, terms }: HelpWriter,
  word: string | undefined,
  all: readonly Facts[],
): string {
  const meaning = meaningOf(Number(word));
  return [
    ...(meaning === undefined ? [] : [paragraph(`Exit code ${word}: ${meaning}.`), "\n"]),
    terms(
      all.map(({ code, exit_code, status, title }) => [code, `${title} (${toNumbers(status, exit_code)})`]),
    ),
  ].join("");
}

function toNumbers(status: number | null, exitCode: number): string {
  return status === null ? `exit code ${exitCode}` : `HTTP ${status}, exit code ${exitCode}`;
}

function meaningOf(exitCode: number): string | undefined {
  const name = Object.entries(exitCodes).find(([, code]) => code === exitCode)?.[0];
  return name === undefined ? undefined : exitMeanings[name as keyof typeof exitCodes];
}

export const errorExamples: Readonly<Partial<Record<ErrorCode, string>>> = {
  wrong_type: "jobs create --location 1 --type D --requested-by 1 --address-id 1 --priority high",
  too_short: 'drivers create --location 1 --name ""',
  too_small: "jobs list --page-index 0",
  too_big: "jobs list --page-limit 5000",
  repeated_value: "tokens create --username olivia --roles Admin,Admin",
  invalid_date: "jobs create --location 1 --type D --requested-by 1 --address-id 1 --schedule-date someday",
  not_past: "jobs complete 2 --location 1 --completed-on 2099-01-01",
  not_future: "tokens create --username olivia --expires-on 2020-01-01",
  invalid_choice: "jobs create --location 1 --type X --requested-by 1 --address-id 1",
  invalid_format: "hooks create --events Job --callback-url ftp://example.com",
  not_for_type: "jobs create --location 1 --type P --requested-by 1 --address-id 1 --asset-dropped-id 1",
  unknown_reference: "jobs assign 2 --location 1 --truck-id 99999",
  unknown_parameter: "api GET /jobs --query truck=3",
  repeated_parameter: 'api GET "/jobs?truck_id=3&truck_id=4"',
  missing_body: "api POST /locations",
  malformed_url: "api GET /jobs/%zz",
  role_not_allowed: "users list --location 1 --as drew",
  tenant_not_accessible: "jobs list --tenant 99",
  record_not_found: "jobs get 999999 --location 1",
  operation_not_found: "api GET /job",
  operation_ended: "api GET /locations/1/trucks/1/get_jobs_list_pdf --api-version 2023/04/19",
  method_not_allowed: "api DELETE /jobs",
  precondition_failed: 'trucks update 1 --location 1 --name "Truck 1" --if-match stale',
  duplicate_record: "users create --username olivia --roles Admin",
  usage: "jobs lsit",
  name_not_found: 'trucks get "Truck 999"',
  name_ambiguous: "customers get potomac",
  no_token: "jobs list --url http://localhost:8080",
  store_not_found: "jobs list --data nowhere.db",
  store_unavailable: "jobs list --data postgres://127.0.0.1:1/dispatch",
  confirmation_needed: "jobs delete 2 --location 1",
  ping_failed: "hooks ping 1",
};
