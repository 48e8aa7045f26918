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
import { readSettings, type SettingName, toVariable } from "../settings.ts";
import { openTarget } from "../target/target.ts";
import { readZones } from "../target/zones.ts";
import type { HelpWriter } from "./fold-help.ts";

/** What each exit code means. */
export const exitMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: "done",
  unexpected: "unexpected failure",
  invalid: "usage or invalid input",
  unauthenticated: "not authenticated",
  forbidden: "not allowed",
  notFound: "not found",
  conflict: "conflict with what is there",
  limited: "limit reached",
  unreachable: "the target cannot be reached, takes too long, or fails",
  answerIsNo: "the check ran and the answer is no",
  interrupted: "interrupted",
};

/** `help exit-codes`. */
export function describeExitCodes({ paragraph, terms }: HelpWriter): string {
  const entries = Object.entries(exitCodes).map(([name, code]) => {
    const meaning = exitMeanings[name as keyof typeof exitCodes];
    const statuses = statusesOf(code).join(", ");
    return [String(code), statuses ? `${meaning} (HTTP ${statuses})` : meaning] as const;
  });
  return [
    paragraph("Every command ends with one of these exit codes:"),
    "\n",
    terms(entries),
    "\n",
    paragraph(
      "`dispatch-cli explain <code>` lists the errors of one of them. An error is told on stderr, in words, or as JSON with -o json.",
    ),
  ].join("");
}

/** The HTTP statuses of the errors that end with an exit code. */
function statusesOf(exitCode: number): number[] {
  const kinds = Object.keys(errorTable).map((code) => errorKind(code as ErrorCode));
  const statuses = kinds.flatMap(({ exitCode: own, status }) => (own === exitCode && status ? [status] : []));
  return [...new Set(statuses)].sort((a, b) => a - b);
}

/** The meaning of each setting that every command takes. */
const settings: Readonly<Record<SettingName, string>> = {
  data: "store to work on, a file or postgres://…",
  url: "server to work on; DISPATCH_DATA and DISPATCH_URL exclude each other, and the server counts",
  token: "the server's token itself",
  tokenFile: "file that holds the server's token; goes before DISPATCH_TOKEN",
  secretKeyFile: "file that holds the key of a store's webhook secrets; goes before DISPATCH_SECRET_KEY",
  location: "location of what no record tells the location of, by id or name; by default the only one",
  tenant: "the tenant's id or name; by default the only one",
  as: "user of the store to act as; by default the tenant's owner",
  apiVersion: "shape of answers; by default the newest version",
  output: "form of answers: `dispatch-cli help output`",
  profile: "saved target to use: `dispatch-cli profiles --help`",
};

/** The other variables that the program reads. */
const others: Readonly<Record<string, string>> = {
  DISPATCH_CONFIG:
    "folder of profiles and listeners, by default the platform's; a file is the configuration of `serve`",
  "DISPATCH_PORT, DISPATCH_LOG_FORMAT, DISPATCH_RATE_LIMIT, DISPATCH_DELIVER, …":
    "any option of `serve`, without its `no`: `dispatch-cli serve --print-config` shows them all",
  DISPATCH_GIVEN_CONFIG: "what a server hands its own processes; not to be set",
  DISPATCH_WITH_TOKEN: "the token of the other server of `diff`, `push` and `pull`",
  DISPATCH_INSECURE: "no warning where a token goes to another machine over plain http, whatever its value",
  DISPATCH_SECRET_KEY: "the key of a store's webhook secrets itself; several with commas between them",
  DISPATCH_TEST_POSTGRES: "PostgreSQL database that `conformance` compares too",
  DISPATCH_DEBUG: "shows where in the program an error came from",
  "OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT":
    "where `serve` sends spans of OpenTelemetry, whose packages are installed beside it",
  OTEL_TRACES_EXPORTER: "how it sends them; none for no spans",
  OTEL_SDK_DISABLED: "true: no spans",
  NO_COLOR: "no colours, whatever its value",
  FORCE_COLOR: "colours also where there is no terminal; 0 for none",
  TERM: "dumb: no colours",
  PAGER: "shows long tables on a terminal; by default less, cat or nothing for none",
  CI: "nothing is asked: what is missing is an error",
  HOME: "where files of a user are looked for, such as .pg_service.conf",
  "PGHOST, PGSSLMODE, PGSERVICE, …":
    "what an address postgres://… leaves out, as for every program of PostgreSQL",
};

/** `help environment`. */
export function describeEnvironment({ paragraph, terms }: HelpWriter): string {
  const own = Object.entries(settings).map(
    ([name, meaning]) => [toVariable(name as SettingName), meaning] as const,
  );
  return [
    paragraph(
      "An option goes before the variable of its name, a variable before the profile, the profile before the default. `dispatch-cli whoami` tells where each value came from.",
    ),
    "\n",
    terms([...own, ...Object.entries(others)]),
  ].join("");
}

/** Options of every list that are no filters. */
const pagingFields = ["page_index", "page_limit"];

/** `help filters`. */
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
        ? [["--location <name>", "only those of this location"] as const]
        : [];
      return { noun, entries: [...own, ...location] };
    }),
  );
  const sections = described
    .filter(({ entries }) => entries.length > 0)
    .sort((a, b) => order.indexOf(a.noun) - order.indexOf(b.noun));
  return [
    paragraph(
      "A list shows the records for which every filter holds. --page-index and --page-limit (1 to 1000) choose the page.",
    ),
    ...sections.map(({ noun, entries }) => `\n${noun} list\n${terms(entries)}`),
  ].join("");
}

const outputForms: Readonly<Record<OutputForm, string>> = {
  table: "for people: a table, or a card for one record; the default",
  json: "exactly the answer of the interface at the API version",
  ndjson: "a line of JSON for each record",
  csv: "a heading, then a row for each record; fields inside others are named like customer.name",
  yaml: "the answer as YAML",
};

/** `help output`. */
export function describeOutput({ paragraph, terms }: HelpWriter): string {
  return [
    paragraph(
      "Answers go to stdout, everything else to stderr. -o, --output or DISPATCH_OUTPUT chooses the form:",
    ),
    "\n",
    terms(Object.entries(outputForms)),
    "\n",
    paragraph(
      "--fields id,customer.name shows these fields only, in any form; a field that is not there is refused with those that are. Within an API version fields may be added to json, ndjson and csv, but none is renamed or removed.",
    ),
    "\n",
    paragraph(
      "A table is as wide as the terminal; what does not fit is cut or left out, and a line on stderr says so. In a pipe only texts of more than 100 characters are cut, which is said too. Colours are for terminals only: NO_COLOR or --no-color turns them off, FORCE_COLOR=1 on.",
    ),
  ].join("");
}

const timeForms: readonly (readonly [typed: string, meaning: string])[] = [
  ["today", "the day there; tomorrow and yesterday alike"],
  ["fri", "today if it is Friday, else the next one; next fri is a week later, last fri is over"],
  ["12/1", "the nearest such day: this year's, unless it lies more than 60 days back"],
  ["12/1/2026", "with its year; --date-order mdy|dmy|ymd says how numbers are ordered"],
  ["Dec 1", "or 1 December, Dec 1 2026"],
  ["2026-12-01", "year, month, day"],
  ["+3d", "so many days from today; -1w, +2h and -30m from now"],
  ["8:00", "today at that time; 8am, 5:30pm, noon"],
  ["tomorrow 8:00", "a day with a time, in either order"],
  ["2026-12-01T08:00Z", "with an offset: what it says"],
  ["2026-12-01T08:00:00.000000", "the form of json and csv: UTC, so that an export comes in equal"],
];

/** `help times`: each form with what it means now, in the zone of the usual location where there is a target. */
export async function describeTimes(
  { paragraph, terms }: HelpWriter,
  context: CliContext | null,
): Promise<string> {
  const at = context && (await findZone(context));
  const now = at === null ? "" : ` There it is ${showMoment(at.now, viewOf(at))} (${at.zone.name}) now.`;
  return [
    paragraph(
      `Whatever takes a date or a time takes these: options, filters of lists, questions, pairs such as timestamp=8:00. They are meant in the zone of the location that the command names, else of the tenant; --utc reads UTC.${now}`,
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
      "A schedule date without a time is the whole day. How an ambiguous day was read is said on stderr, or in the question. A time that clocks skip is refused; of one that comes twice the first is taken, and said. --from and --to of `jobs list` and `export jobs` may look ahead, a day for --to included.",
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

/** How times are read where commands work; null where that is nowhere. */
async function findZone(context: CliContext): Promise<TypedAt | null> {
  try {
    const settings = readSettings(context, {});
    const target = await openTarget(context, settings);
    try {
      const { value } = settings.location;
      const location =
        value === null ? null : await readLocation(context, settings, target, { location: value });
      const zone = (await readZones(target, settings.isUtc)).of(location);
      return toTypedAt(settings, zone, target.clock.now());
    } finally {
      await target.close();
    }
  } catch (error) {
    if (error instanceof DispatchError) return null;
    throw error;
  }
}

/** Every version, oldest first, with what it changed, in sentences. */
export async function versionFacts() {
  const operations = await loadOperations();
  return apiVersions.map((version) => ({ version, changes: historyOf(version, operations) }));
}

/** `help versions`. */
export async function describeVersions({ paragraph, terms }: HelpWriter): Promise<string> {
  const versions = await versionFacts();
  return [
    paragraph(
      "The interface has dated versions. --api-version or DISPATCH_API_VERSION chooses one; by default it is the newest, and of an operation that has ended its last. A request over HTTP that names none in x-api-version is answered at the oldest, or at the one that its token names.",
    ),
    "\n",
    terms(versions.map(({ changes, version }) => [version, changes.join(" ")] as const)),
    "\n",
    paragraph(
      "`dispatch-cli versions diff <from> <to>` shows what changed between two on an example. What a webhook is sent has the webhook's own version.",
    ),
  ].join("");
}
