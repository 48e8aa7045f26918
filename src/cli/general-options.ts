import { dateOrders } from "../local-time/date-order.ts";
import { apiVersions } from "../models/api-versions.ts";
import { outputForms } from "./output/options.ts";

export interface GeneralOption {
  flags: string;
  about: string;
  choices?: readonly string[];
  /** Only `help environment` and --help-all describe it. */
  isRare?: true;
}

/** Accepted before and after the noun by every command, so that a wrapper can always pass them. Some have no effect. */
export const generalOptions = {
  utc: { flags: "--utc", about: "read and show times in UTC, not in the location's time zone" },
  "date-order": {
    flags: "--date-order <order>",
    about: `order of numbers in dates like 12/1: ${dateOrders.join(", ")}; default: the country's`,
    choices: dateOrders,
  },
  profile: {
    flags: "--profile <name>",
    about: "use this profile (DISPATCH_PROFILE); `profiles list` lists them",
  },
  data: { flags: "--data <store>", about: "store to work on: a file or postgres://… (DISPATCH_DATA)" },
  url: {
    flags: "--url <address>",
    about: "server to work on (DISPATCH_URL), with the token in DISPATCH_TOKEN or --token-file",
  },
  "token-file": {
    flags: "--token-file <file>",
    about: "file with the server's token, - for standard input",
  },
  insecure: {
    flags: "--insecure",
    about: "do not warn when the token goes to another machine over plain http",
  },
  tenant: {
    flags: "--tenant <name>",
    about: "tenant, by ID or name (DISPATCH_TENANT); default: the only one",
  },
  as: {
    flags: "--as <username>",
    about: "act as this user of the store (DISPATCH_AS); default: the tenant's owner",
  },
  location: {
    flags: "--location <name>",
    about: "default location, by ID or name (DISPATCH_LOCATION)",
  },
  "secret-key-file": {
    flags: "--secret-key-file <file>",
    about: "file with the key of a store's webhook secrets",
    isRare: true,
  },
  output: {
    flags: "-o, --output <form>",
    about: `${outputForms.join(", ")} (DISPATCH_OUTPUT)`,
    choices: outputForms,
  },
  fields: { flags: "--fields <names>", about: "show only these fields, separated by commas" },
  "api-version": {
    flags: "--api-version <version>",
    about: `API version of the answer (DISPATCH_API_VERSION): ${apiVersions.join(", ")}`,
    choices: apiVersions,
  },
  "no-color": { flags: "--no-color", about: "turn colors off (NO_COLOR)" },
  "no-pager": { flags: "--no-pager", about: "do not page long tables (PAGER names the pager)" },
  "no-input": { flags: "--no-input", about: "never prompt; a missing value is an error (CI)" },
  yes: { flags: "--yes", about: "do not ask for confirmation" },
} as const satisfies Record<string, GeneralOption>;

export type GeneralOptionName = keyof typeof generalOptions;

export const generalOptionNames = Object.keys(generalOptions) as readonly GeneralOptionName[];
