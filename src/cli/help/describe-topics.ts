import { readZones } from "../../board/read-zones.ts";
import { DispatchError, type ErrorCode, errorKind, errorTable, exitCodes } from "../../errors/errors.ts";
import { readTime, type TypedAt } from "../../local-time/read-time.ts";
import { showDay, showMoment } from "../../local-time/show-time.ts";
import { apiVersions } from "../../models/api-versions.ts";
import { historyOf } from "../../openapi/description.ts";
import { loadOperations } from "../../operations/index.ts";
import { kindOfList } from "../../records/find-kind.ts";
import { recordKinds } from "../../records/record-kinds.ts";
import type { CliContext } from "../context.ts";
import { toFlags, toInputOptions } from "../input/flags.ts";
import { toTypedAt } from "../input/typed-time.ts";
import { readLocation } from "../names/read-location.ts";
import type { OutputForm } from "../output/options.ts";
import { loadPresentation } from "../presentation/index.ts";
import { type SettingName, toVariable } from "../settings.ts";
import { useTarget } from "../target/use-target.ts";
import type { HelpWriter } from "./fold-help.ts";

export const exitMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: "done",
  unexpected: "unexpected failure",
  invalid: "usage or invalid input",
  unauthenticated: "not authenticated",
  forbidden: "not allowed",
  notFound: "not found",
  conflict: "conflict with the current state",
  limited: "limit reached",
  unreachable: "the target cannot be reached, times out, or fails",
  answerIsNo: "the check ran and the answer is no",
  interrupted: "interrupted",
};

export function describeExitCodes({ paragraph, terms }: HelpWriter): string {
  const entries = Object.entries(exitCodes).map(([name, code]) => {
    const meaning = exitMeanings[name as keyof typeof exitCodes];
    const statuses = statusesOf(code).join(", ");
    return [String(code), statuses ? `${meaning} (HTTP ${statuses})` : meaning] as const;
  });
  return [
    paragraph("Exit codes of every command:"),
    "\n",
    terms(entries),
    "\n",
    paragraph(
      "`dispatch-cli explain <code>` lists the errors of an exit code. Errors go to stderr, as JSON with -o json.",
    ),
  ].join("");
}

/** The HTTP statuses of errors with an exit code. */
function statusesOf(exitCode: number): number[] {
  const kinds = Object.keys(errorTable).map((code) => errorKind(code as ErrorCode));
  const statuses = kinds.flatMap(({ exitCode: own, status }) => (own === exitCode && status ? [status] : []));
  return [...new Set(statuses)].sort((a, b) => a - b);
}

const settings: Readonly<Record<SettingName, string>> = {
  data: "store to work on: a file or postgres://…",
  url: "server to work on; with DISPATCH_DATA and DISPATCH_URL both set, the server wins",
  token: "the server's token",
  tokenFile: "file with the server's token; overrides DISPATCH_TOKEN",
  secretKeyFile: "file with the key of a store's webhook secrets; overrides DISPATCH_SECRET_KEY",
  location: "default location, by ID or name; without it the only location",
  tenant: "tenant, by ID or name; default: the only one",
  as: "user of the store to act as; default: the tenant's owner",
  apiVersion: "version of answers; default: the newest",
  output: "output format: see `dispatch-cli help output`",
  profile: "profile to use: see `dispatch-cli profiles --help`",
};

const others: Readonly<Record<string, string>> = {
  DISPATCH_CONFIG:
    "folder of profiles and of the positions of `hooks listen` (default: the platform's), or the configuration file of `serve`",
  "DISPATCH_PORT, DISPATCH_LOG_FORMAT, DISPATCH_RATE_LIMIT, DISPATCH_DELIVER, …":
    "any option of `serve`, without a leading `no`; `dispatch-cli serve --print-config` lists them",
  DISPATCH_GIVEN_CONFIG: "internal, for the processes of a server; do not set it",
  DISPATCH_WITH_TOKEN: "token of the other server in `diff`, `push` and `pull`",
  DISPATCH_INSECURE: "any value: do not warn when a token goes to another machine over plain http",
  DISPATCH_TIMEOUT: "seconds to wait for each answer of a server (default 10 for the first, then 60)",
  DISPATCH_GEOCODER:
    "https address of the geocoder of `customers geocode`, with {address}; without it nothing is sent anywhere",
  DISPATCH_SECRET_KEY: "the key of a store's webhook secrets; separate several with commas",
  DISPATCH_TEST_POSTGRES: "PostgreSQL database that `conformance` also compares",
  DISPATCH_DEBUG: "any value: show the stack of an error",
  "OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT":
    "where `serve` sends OpenTelemetry spans; install the OpenTelemetry packages first",
  OTEL_TRACES_EXPORTER: "the exporter of spans; none turns spans off",
  OTEL_SDK_DISABLED: "true turns spans off",
  NO_COLOR: "any value: no colors",
  FORCE_COLOR: "colors without a terminal too; 0 turns colors off",
  TERM: "dumb turns colors off",
  PAGER: "pager for long tables (default less); cat or an empty value turns it off",
  CI: "any value: do not prompt; a missing value is an error",
  HOME: "folder of the user's files, such as .pg_service.conf",
  "PGHOST, PGSSLMODE, PGSERVICE, …":
    "the parts that a postgres://… address leaves out, as in every PostgreSQL program",
};

export function describeEnvironment({ paragraph, terms }: HelpWriter): string {
  const own = Object.entries(settings).map(
    ([name, meaning]) => [toVariable(name as SettingName), meaning] as const,
  );
  return [
    paragraph(
      "In order of precedence: option, environment variable, profile, default. `dispatch-cli whoami` shows where each value comes from.",
    ),
    "\n",
    terms([...own, ...Object.entries(others)]),
  ].join("");
}

const pagingFields = ["page_index", "page_limit"];

export async function describeFilters({ paragraph, terms }: HelpWriter): Promise<string> {
  const operations = await loadOperations();
  const lists = operations.filter(({ name }) => name.endsWith(".list"));
  const order = recordKinds.map(({ noun }): string => noun);
  const described = await Promise.all(
    lists.map(async ({ name, ...operation }) => {
      const noun = name.split(".", 1)[0] ?? "";
      const flags = toFlags({ name, ...operation }).filter(
        ({ field, part }) => part === "query" && !pagingFields.includes(field),
      );
      const own = toInputOptions(flags, await loadPresentation(name)).map(
        ({ description, flags }) => [flags, description] as const,
      );
      const location = kindOfList(name)?.listAtLocation
        ? [["--location <name>", "only records of this location"] as const]
        : [];
      return { noun, entries: [...own, ...location] };
    }),
  );
  const sections = described
    .filter(({ entries }) => entries.length > 0)
    .sort((a, b) => order.indexOf(a.noun) - order.indexOf(b.noun));
  return [
    paragraph(
      "A list shows the records that match all filters. --page-index and --page-limit (1 to 1000) choose the page.",
    ),
    ...sections.map(({ noun, entries }) => `\n${noun} list\n${terms(entries)}`),
  ].join("");
}

const outputForms: Readonly<Record<OutputForm, string>> = {
  table: "a table, or a card for one record (default)",
  json: "the answer of the HTTP interface, unchanged",
  ndjson: "one line of JSON per record",
  csv: "a header line, then one row per record; a nested field is named like customer.name",
  yaml: "the answer as YAML",
};

export function describeOutput({ paragraph, terms }: HelpWriter): string {
  return [
    paragraph(
      "Answers go to stdout, everything else to stderr. Choose the format with -o, --output or DISPATCH_OUTPUT:",
    ),
    "\n",
    terms(Object.entries(outputForms)),
    "\n",
    paragraph(
      "--fields id,customer.name shows only these fields, in any format. An unknown field is an error that lists the known ones. Within an API version, json, ndjson and csv may get new fields, but no field is renamed or removed.",
    ),
    "\n",
    paragraph(
      "A table fits the terminal: long values are cut and some columns are left out, and a line on stderr says so. In a pipe only values over 100 characters are cut. Colors appear on terminals only: NO_COLOR or --no-color turns them off, FORCE_COLOR=1 on.",
    ),
  ].join("");
}

const timeForms: readonly (readonly [typed: string, meaning: string])[] = [
  ["today", "also tomorrow and yesterday"],
  ["fri", "today if today is Friday, else the next Friday; also next fri and last fri"],
  ["12/1", "this year, or next year if the day is more than 60 days ago"],
  ["12/1/2026", "with a year; --date-order mdy|dmy|ymd sets the order of numbers"],
  ["Dec 1", "also 1 December and Dec 1 2026"],
  ["2026-12-01", "year, month, day"],
  ["+3d", "three days from today; also -1w, and +2h or -30m from now"],
  ["8:00", "today at this time; also 8am, 5:30pm, noon"],
  ["tomorrow 8:00", "a day and a time, in either order"],
  ["2026-12-01T08:00Z", "a time with an offset"],
  [
    "2026-12-01T08:00:00.000000",
    "UTC, the form in json and csv, so that an export can be imported unchanged",
  ],
];

/** With a target, the default location's zone applies. */
export async function describeTimes(
  { paragraph, terms }: HelpWriter,
  context: CliContext | null,
): Promise<string> {
  const at = context && (await findZone(context));
  const now = at === null ? "" : ` The time there is ${showMoment(at.now, viewOf(at))} (${at.zone.name}).`;
  return [
    paragraph(
      `Options, filters, prompts, and pairs such as timestamp=8:00 accept these dates and times. They use the zone of the location, else of the tenant, or UTC with --utc.${now}`,
    ),
    "\n",
    terms(
      timeForms.map(([typed, meaning]) => [
        typed,
        at === null ? meaning : `${meaning}${toExample(typed, at)}`,
      ]),
    ),
    "\n",
    paragraph(
      "A schedule date without a time means the whole day. The program reports on stderr, or in the prompt, how it read an ambiguous day. When clocks change, a skipped time is an error, and a repeated time means the first. --from and --to of `jobs list` and `export jobs` may be in the future; --to includes its day.",
    ),
  ].join("");
}

const viewOf = ({ now, zone }: TypedAt) => ({ today: zone.dateOf(now), zone });

function toExample(typed: string, at: TypedAt): string {
  const read = readTime(typed, at);
  if ("refusal" in read) return "";
  const { time } = read;
  return ` (${"day" in time ? showDay(time.day, viewOf(at)) : showMoment(time.moment, viewOf(at))})`;
}

/** null without a target. */
async function findZone(context: CliContext): Promise<TypedAt | null> {
  try {
    return await useTarget(context, {}, async (target, settings) => {
      const { value } = settings.location;
      const location =
        value === null ? null : await readLocation(context, settings, target, { location: value });
      const zone = (await readZones(target, settings.isUtc)).of(location);
      return toTypedAt(settings, zone, target.clock.now());
    });
  } catch (error) {
    if (error instanceof DispatchError) return null;
    throw error;
  }
}

/** Oldest first, with changes as sentences. */
export async function versionFacts() {
  const operations = await loadOperations();
  return apiVersions.map((version) => ({ version, changes: historyOf(version, operations) }));
}

export async function describeVersions({ paragraph, terms }: HelpWriter): Promise<string> {
  const versions = await versionFacts();
  return [
    paragraph(
      "API versions are dates. Choose one with --api-version or DISPATCH_API_VERSION. The default is the newest; for a removed operation, the default is the last version that has it. An HTTP request without x-api-version gets its token's version, else the oldest.",
    ),
    "\n",
    terms(versions.map(({ changes, version }) => [version, changes.join(" ")] as const)),
    "\n",
    paragraph(
      "`dispatch-cli versions diff <from> <to>` compares two versions by an example. Each webhook has its own version.",
    ),
  ].join("");
}
