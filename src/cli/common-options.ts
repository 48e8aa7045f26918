import { type Command, Option } from "commander";
import type { Access } from "../core/operation.ts";
import { failure } from "../errors/errors.ts";
import { dateOrders } from "../local-time/date-order.ts";
import { apiVersions } from "../models/api-versions.ts";
import type { OptionValues } from "./context.ts";
import { outputForms } from "./output/options.ts";

/** Adds the options that say where a command works, and as whom unless `access` lets everybody in. */
export function addTargetOptions(command: Command, access?: Access): Command {
  addTimeOptions(command);
  addProfileOption(command.optionsGroup("Target:")).option(
    "--data <store>",
    "work on this store, a file or postgres://… (DISPATCH_DATA)",
  );
  // Few commands need it, and the help of all is long enough: `help environment` tells of it.
  command.addOption(new Option("--secret-key-file <file>").hideHelp());
  // A command of stores knows the option too, so that its refusal can say why.
  if (access === "store") return command.addOption(new Option("--url <address>").hideHelp());
  if (access === "public")
    return command.option("--url <address>", "work on this server (DISPATCH_URL), without a token");
  return addInsecureOption(
    command.option(
      "--url <address>",
      "work on this server (DISPATCH_URL); its token comes from DISPATCH_TOKEN or --token-file",
    ),
  )
    .option("--token-file <file>", "file that holds the server's token, - for standard input")
    .option("--tenant <name>", "tenant, by id or name (DISPATCH_TENANT); by default the only one")
    .option("--as <username>", "act as this user of the store (DISPATCH_AS); by default the tenant's owner");
}

/** Adds the options that say how times are read and shown. */
function addTimeOptions(command: Command): void {
  command
    .optionsGroup("Times:")
    .option("--utc", "read and show times as UTC, not as at the location")
    .option(
      "--date-order <order>",
      `how 12/1 is read: ${dateOrders.join(", ")}; by default as in the country`,
    );
}

/** Adds --insecure, for commands that send a token. */
export function addInsecureOption(command: Command): Command {
  return command.option("--insecure", "do not warn where the token goes to another machine over plain http");
}

/** Adds --profile, once. */
export function addProfileOption(command: Command): Command {
  if (command.options.some(({ long }) => long === "--profile")) return command;
  return command.option(
    "--profile <name>",
    "use this saved target (DISPATCH_PROFILE); `profiles list` shows them",
  );
}

/**
 * Adds the options that say how an answer is shown. `hasOwnVersion`: the operation's input has an api_version (a token's,
 * a webhook's), which --api-version means there; such answers look the same at every version.
 */
export function addOutputOptions(command: Command, hasOwnVersion: boolean): Command {
  command
    .optionsGroup("Output:")
    .option("-o, --output <form>", `${outputForms.join(", ")} (DISPATCH_OUTPUT)`)
    .option("--fields <names>", "show these fields only, separated by commas")
    .option("-q, --quiet", "show the ids only, one a line, for other commands")
    .option("--raw-csv", "in csv, texts as they are, also those that a spreadsheet would run as a formula");
  if (!hasOwnVersion) {
    command.option(
      "--api-version <version>",
      `shape of the answer (DISPATCH_API_VERSION): ${apiVersions.join(", ")}`,
    );
  }
  return command
    .option("--no-color", "show no colours (NO_COLOR)")
    .option("--no-pager", "show a long table at once (PAGER names the pager)");
}

/** Adds the options of lists. */
export function addListOptions(command: Command): Command {
  return command
    .optionsGroup("Output:")
    .option("--all", "show every page, as one list")
    .option("--watch", "show the list again when it changes, until Ctrl-C");
}

/** Adds the options that say from when until when, for lists of what is planned. */
export function addSpanOptions(command: Command): Command {
  return command
    .option("--from <time>", "planned then or later: today, fri, 12/1, tomorrow 8:00")
    .option("--to <time>", "planned until then, a day included");
}

/** Adds the options of exports. */
export function addExportOptions(command: Command): Command {
  return command
    .optionsGroup("Output:")
    .option("--out <file>", "write to this file, - for standard output")
    .option(
      "-o, --output <form>",
      "csv, ndjson or json (DISPATCH_OUTPUT); by default by the file's ending, else ndjson",
    )
    .option("--fields <names>", "write these fields only, separated by commas")
    .option("--raw-csv", "in csv, texts as they are, also those that a spreadsheet would run as a formula")
    .option("--resume", "go on with a file that an interrupted export left")
    .option("--yes", "put it in the place of a file that is there already")
    .option("--no-input", "never ask")
    .option(
      "--api-version <version>",
      `shape of the records (DISPATCH_API_VERSION): ${apiVersions.join(", ")}`,
    )
    .option("--no-color", "show no colours (NO_COLOR)");
}

/** Refuses output options that contradict each other. */
export function checkOutputOptions(options: OptionValues): void {
  const pairs = [
    ["all", "watch"],
    ["all", "pageIndex"],
    ["quiet", "output"],
    ["quiet", "fields"],
  ] as const;
  for (const [one, other] of pairs) {
    if (options[one] !== true || options[other] === undefined) continue;
    const name = other.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw failure("usage", `--${one} and --${name} exclude each other.`);
  }
}

/** Makes --api-version for commands where it means webhook bodies. */
export function versionOption(description: string): Option {
  return new Option("--api-version <version>", `${description}: ${apiVersions.join(", ")}`);
}

/** Adds --output and --profile alone, for commands that show no records of the interface. */
export function addFormOption(command: Command): Command {
  return addProfileOption(command).addOption(
    new Option("-o, --output <form>", "table or json (DISPATCH_OUTPUT)"),
  );
}
