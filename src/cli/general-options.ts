import { dateOrders } from "../local-time/date-order.ts";
import { apiVersions } from "../models/api-versions.ts";
import { outputForms } from "./output/options.ts";

/** An option of the program itself, as the parser takes it and the help tells it. */
export interface GeneralOption {
  flags: string;
  about: string;
  choices?: readonly string[];
  /** Few commands need it, and `help environment` tells of it. */
  isRare?: true;
}

/**
 * The options that every command takes, before its noun as well as after it, so that a wrapper can always pass them
 * (OP-251). Where one has no meaning it does nothing.
 */
export const generalOptions = {
  utc: { flags: "--utc", about: "read and show times as UTC, not as at the location" },
  "date-order": {
    flags: "--date-order <order>",
    about: `how 12/1 is read: ${dateOrders.join(", ")}; by default as in the country`,
    choices: dateOrders,
  },
  profile: {
    flags: "--profile <name>",
    about: "use this saved target (DISPATCH_PROFILE); `profiles list` shows them",
  },
  data: { flags: "--data <store>", about: "work on this store, a file or postgres://… (DISPATCH_DATA)" },
  url: {
    flags: "--url <address>",
    about: "work on this server (DISPATCH_URL); its token comes from DISPATCH_TOKEN or --token-file",
  },
  "token-file": {
    flags: "--token-file <file>",
    about: "file that holds the server's token, - for standard input",
  },
  insecure: {
    flags: "--insecure",
    about: "do not warn where the token goes to another machine over plain http",
  },
  tenant: {
    flags: "--tenant <name>",
    about: "tenant, by id or name (DISPATCH_TENANT); by default the only one",
  },
  as: {
    flags: "--as <username>",
    about: "act as this user of the store (DISPATCH_AS); by default the tenant's owner",
  },
  location: {
    flags: "--location <name>",
    about:
      "location of what no record tells it of, by id or name (DISPATCH_LOCATION); by default the only one",
  },
  "secret-key-file": {
    flags: "--secret-key-file <file>",
    about: "file that holds the key of a store's webhook secrets",
    isRare: true,
  },
  output: {
    flags: "-o, --output <form>",
    about: `${outputForms.join(", ")} (DISPATCH_OUTPUT)`,
    choices: outputForms,
  },
  fields: { flags: "--fields <names>", about: "show these fields only, separated by commas" },
  "api-version": {
    flags: "--api-version <version>",
    about: `shape of the answer (DISPATCH_API_VERSION): ${apiVersions.join(", ")}`,
    choices: apiVersions,
  },
  "no-color": { flags: "--no-color", about: "show no colours (NO_COLOR)" },
  "no-pager": { flags: "--no-pager", about: "show a long table at once (PAGER names the pager)" },
  "no-input": { flags: "--no-input", about: "never ask; what is missing is an error (CI)" },
  yes: { flags: "--yes", about: "answer yes before what is severe is done" },
} as const satisfies Record<string, GeneralOption>;

/** The name of a general option, without its dashes. */
export type GeneralOptionName = keyof typeof generalOptions;

export const generalOptionNames = Object.keys(generalOptions) as readonly GeneralOptionName[];
