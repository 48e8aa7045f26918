import type { SettingName } from "../settings.ts";
import { toVariable } from "../settings.ts";
import type { HelpWriter } from "./help-writer.ts";

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
