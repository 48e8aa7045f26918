import { resolve } from "node:path";
import { Command } from "commander";
import { DispatchError, failure, unreachableCodes } from "../../../errors/errors.ts";
import { apiVersions } from "../../../models/api-versions.ts";
import { findUrlProblem } from "../../../models/http-url.ts";
import { isPostgresAddress, toShownStore } from "../../../store/postgres/address.ts";
import { asOwn } from "../../common-options.ts";
import type { CliContext, OptionValues } from "../../context.ts";
import { readText } from "../../input/read-text.ts";
import { outputForms } from "../../output/options.ts";
import { showRecords } from "../../output/show.ts";
import { showFacts, tell } from "../../output/tell.ts";
import {
  defaultProfileName,
  findProfile,
  type Profile,
  type ProfileValues,
  profileNames,
} from "../../profiles/profiles.ts";
import { type Settings, toSettings } from "../../settings.ts";
import { askWhoami } from "../../target/ask-whoami.ts";
import { parseToken, warnOfPlainHttp } from "../../target/read-token.ts";
import { chooseTenant } from "../../target/target.ts";
import { defineBuiltin } from "../builtin.ts";

export function profilesCommand(context: CliContext): Command {
  return new Command("profiles")
    .description("Save targets by name: a server with its token, or a store, with output settings.")
    .addCommand(addCommand(context))
    .addCommand(listCommand(context))
    .addCommand(showCommand(context))
    .addCommand(useCommand(context))
    .addCommand(removeCommand(context));
}

function addCommand(context: CliContext): Command {
  const command = defineBuiltin("add", "write")
    .summary("Save a target by name")
    .description("Save a target by name. No other user can read its file. The server checks the token first.")
    .argument("<name>", "letters, digits, _ . and -")
    .option("--url <address>", "a server")
    .option(
      "--token-file <file>",
      "file with the server's token, - for standard input; the profile keeps the token",
    )
    .option("--insecure", "do not warn about plain http to this server")
    .option("--data <store>", "store: a file or postgres://…")
    .option("--tenant <id>", "tenant of the target")
    .option("--as <username>", "act as this user of the store")
    .option("--location <name>", "default location, by ID or name")
    .option("--api-version <version>", `API version of answers: ${apiVersions.join(", ")}`)
    .option("-o, --output <form>", outputForms.join(", "))
    .option("--replace", "replace an existing profile")
    .addHelpText(
      "after",
      "\nExample:\n  dispatch-cli profiles add acme --url http://localhost:8080 --token-file token.txt",
    );
  // Save the options of this command, not its own settings.
  command.options.forEach(asOwn);
  return command.action(async (name: string) => {
    const { replace = false, ...options } = command.opts();
    // A profile holds options, nothing from the environment.
    const settings = toSettings({}, options);
    const { keepProfile } = await import("../../profiles/keep-profile.ts");
    const { note, values } = await toValues(context, settings, options);
    keepProfile(context, name, values, replace);
    const profile = findProfile(context, name);
    showFacts(context, settings, toProfileFacts(context, profile), [
      `Saved profile ${name}: ${targetOf(profile)}.${note}`,
      `Next: dispatch-cli whoami --profile ${name}, or \`dispatch-cli profiles use ${name}\` to make it the default.`,
    ]);
  });
}

async function toValues(
  context: CliContext,
  settings: Settings,
  options: OptionValues,
): Promise<{ note: string; values: ProfileValues }> {
  const { apiVersion, as, data, location, output, tenant, tokenFile, url } = options as Record<
    string,
    string | undefined
  >;
  if (as !== undefined && url !== undefined)
    throw failure("usage", "--as works on a store. On a server the token decides the user.");
  if (tokenFile !== undefined && url === undefined)
    throw failure("usage", "A token needs its server: name it with --url.");
  const known = tokenFile === undefined ? null : await checkToken(context, settings, tokenFile);
  const values: ProfileValues = {
    // An absolute path is valid in every folder.
    ...(data !== undefined && { data: isPostgresAddress(data) ? data : resolve(data) }),
    ...toAddress(url, settings),
    ...known?.values,
    ...(tenant !== undefined && { tenant }),
    ...(as !== undefined && { as }),
    ...(location !== undefined && { location }),
    ...(apiVersion !== undefined && { api_version: apiVersion }),
    ...(output !== undefined && { output }),
  };
  if (Object.keys(values).length > 0) return { note: known?.note ?? "", values };
  throw failure("usage", "Name a server with --url, or a store with --data.");
}

function toAddress(url: string | undefined, { isInsecure }: Settings): ProfileValues {
  if (url === undefined) return {};
  const problem = findUrlProblem(url);
  if (problem !== null) throw failure("usage", `--url ${problem}.`);
  return { url: url.replace(/\/+$/, ""), ...(isInsecure && { insecure: "yes" }) };
}

/** Refuses a token that the server refuses. Accepts a token while the server is unreachable. */
async function checkToken(
  context: CliContext,
  { isInsecure, tenant, url }: Settings,
  tokenFile: string,
): Promise<{ note: string; values: ProfileValues }> {
  warnOfPlainHttp(context, String(url.value), isInsecure);
  const token = parseToken(await readText(context, tokenFile));
  const { connect } = await import("../../target/connect.ts");
  try {
    const connection = await connect(String(url.value), token, tenant.value, (tenants, wanted) =>
      chooseTenant(tenants, wanted, true),
    );
    const { token_expires_on, user } = await askWhoami(connection).finally(() => connection.close());
    const expiry = token_expires_on === null ? {} : { token_expires_on };
    return { note: ` The token is ${user}'s.`, values: { token, ...expiry } };
  } catch (error) {
    if (!(error instanceof DispatchError) || !unreachableCodes.has(error.code)) throw error;
    return { note: " The server is unreachable, so the token was not checked.", values: { token } };
  }
}

function listCommand(context: CliContext): Command {
  const command = defineBuiltin("list", "read")
    .summary("List the profiles")
    .description("List the profiles, and which one is the default.")
    .option("-o, --output <form>", `${outputForms.join(", ")} (DISPATCH_OUTPUT)`)
    .addHelpText("after", "\nExample:\n  dispatch-cli profiles list");
  return command.action(async () => {
    const facts = profileNames(context).map((name) => toProfileFacts(context, findProfile(context, name)));
    await showRecords(context, toSettings(context.env, command.opts()), facts);
  });
}

function showCommand(context: CliContext): Command {
  const command = defineBuiltin("show", "read")
    .summary("Show a profile without its token")
    .description("Show a profile, or the default one. Of the token it shows only the expiry.")
    .argument("[name]", "name of the profile")
    .option("-o, --output <form>", "table or json (DISPATCH_OUTPUT)")
    .addHelpText("after", "\nExample:\n  dispatch-cli profiles show acme");
  return command.action((given: string | undefined) => {
    const name = given ?? defaultProfileName(context);
    if (name === null) throw failure("usage", "No default profile is set. Name a profile.");
    const facts = toProfileFacts(context, findProfile(context, name));
    const lines = Object.entries(facts).map(([key, value]) => `${key.padEnd(keysWidth)}  ${value ?? "–"}`);
    showFacts(context, toSettings(context.env, command.opts()), facts, lines);
  });
}

const keysWidth = "token_expires_on".length;

function useCommand(context: CliContext): Command {
  const command = defineBuiltin("use", "write")
    .summary("Set the default profile")
    .description("Set the default profile.")
    .argument("[name]", "name of the profile")
    .option("--none", "remove the default")
    .addHelpText("after", "\nExample:\n  dispatch-cli profiles use acme");
  return command.action(async (name: string | undefined) => {
    const isNone = command.opts().none === true;
    if (isNone === (name !== undefined)) throw failure("usage", "Name a profile, or use --none.");
    const { keepDefaultProfile } = await import("../../profiles/keep-profile.ts");
    keepDefaultProfile(context, name ?? null);
    const line =
      name === undefined ? "No profile is the default now." : `Profile ${name} is now the default.`;
    tell(context.stderr, line);
  });
}

function removeCommand(context: CliContext): Command {
  const command = defineBuiltin("remove", "write")
    .summary("Remove a profile and its token")
    .description("Remove a profile and its token. The token stays valid until `tokens revoke`.")
    .argument("<name>", "name of the profile")
    .addHelpText("after", "\nExample:\n  dispatch-cli profiles remove acme");
  return command.action(async (name: string) => {
    const { removeProfile } = await import("../../profiles/keep-profile.ts");
    const wasDefault = removeProfile(context, name);
    tell(context.stderr, `Removed profile ${name}.${wasDefault ? " No profile is the default now." : ""}`);
  });
}

function toProfileFacts(context: CliContext, { name, values }: Profile) {
  const { api_version, as, data, insecure, output, tenant, token, token_expires_on, url } = values;
  return {
    name,
    default: defaultProfileName(context) === name,
    data: data === undefined ? null : toShownStore(data),
    url: url ?? null,
    insecure: insecure === "yes",
    token: token === undefined ? null : "kept",
    token_expires_on: token_expires_on ?? null,
    tenant: tenant === undefined ? null : Number(tenant),
    as: as ?? null,
    api_version: api_version ?? null,
    output: output ?? null,
  };
}

function targetOf({ values: { data, url } }: Profile): string {
  if (url !== undefined) return url;
  return data === undefined ? "no target" : toShownStore(data);
}
