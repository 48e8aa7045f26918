import type { Command } from "commander";
import type { Service } from "../../../core/service.ts";
import type { DemoFacts } from "../../../demo/fill-demo-store.ts";
import { failure } from "../../../errors/errors.ts";
import { isPostgresAddress, toShownStore } from "../../../store/postgres/address.ts";
import type { Tenant } from "../../../store/queries/accounts.ts";
import { addFormOption } from "../../common-options.ts";
import { readConfiguration } from "../../configuration/read-configuration.ts";
import type { CliContext, OptionValues } from "../../context.ts";
import { showFacts, tell } from "../../output/tell.ts";
import { defaultStore } from "../../profiles/last-store.ts";
import { readSettings, type Settings } from "../../settings.ts";
import { rememberStore } from "../../target/remember-store.ts";
import { refuseServer } from "../../target/target.ts";
import { defineBuiltin } from "../builtin.ts";
import { addServingOptions, serveUntilInterrupted } from "../serve/serve.ts";
import { serveOptions } from "../serve/serve-options.ts";
import { toTryHints } from "../serve/try-hints.ts";

const demoSeed = 1;

/** The output is for people. JSON lines of a log would interrupt it. */
const defaultLogLevel = "error";

/** --serve creates the store if it is missing, and serves it. */
export function demoCommand(context: CliContext): Command {
  const command = defineBuiltin("demo", "write")
    .description(
      "Create a store with sample data: tenants, customers at real addresses, trucks, jobs, webhooks.",
    )
    .option(
      "--data <store>",
      "store to create: a file or postgres://… (DISPATCH_DATA); default: demo.db in the data folder",
    )
    .option("--jobs <n>", "number of jobs to create", parseCount, 2000)
    .option("--seed <n>", "the same seed creates the same data", parseCount, demoSeed)
    .option("--force", "replace an existing demo store; its changes are lost")
    .option("--serve", "serve the store, and create it if it is missing");
  addFormOption(addServingOptions(command)).addHelpText("after", "\nExample:\n  dispatch-cli demo --serve");
  return command.action(async () => {
    const { options } = await readConfiguration(context, command, {
      table: serveOptions,
      fallbacks: context.stderr.isTTY ? {} : { logLevel: defaultLogLevel },
    });
    const settings = readSettings(context, options);
    refuseServer(settings);
    const data = settings.data.value ?? defaultStore("demo.db");
    const { isStoreThere } = await import("../../../core/make-store.ts");
    if (!(await isStoreThere(data, context.env))) await makeDemo(context, settings, data, options);
    else if (options.force) await makeAgain(context, settings, data, options);
    else if (!options.serve) await showDemo(context, settings, data);
    if (options.serve) await serveDemo(context, settings, data, options);
  });
}

function parseCount(text: string): number {
  if (/^\d{1,9}$/.test(text) && Number(text) > 0) return Number(text);
  throw failure("usage", `"${text}" must be a whole number above 0.`);
}

/** Throws for other stores, to protect their data. */
async function makeAgain(
  context: CliContext,
  settings: Settings,
  data: string,
  options: OptionValues,
): Promise<void> {
  await useDemo(context, data, async () => undefined);
  if (isPostgresAddress(data))
    throw failure(
      "usage",
      "--force works on files only. Drop the database's tables, or use another database.",
    );
  await makeDemo(context, settings, data, options);
}

async function makeDemo(
  context: CliContext,
  settings: Settings,
  data: string,
  { force, jobs, seed, serve }: OptionValues,
): Promise<void> {
  const { clientOf } = await import("../../../http/local-client.ts");
  const { fillDemoStore } = await import("../../../demo/fill-demo-store.ts");
  const { isStoreThere, makeStore } = await import("../../../core/make-store.ts");
  tell(context.stderr, `Creating a demo store with ${jobs} jobs …`);
  const fill = (service: Service) =>
    fillDemoStore(service, clientOf, { seed: Number(seed), jobs: Number(jobs) });
  const made = await makeStore(data, fill, {
    env: context.env,
    replaces: force === true && (await isStoreThere(data, context.env)),
  });
  if (serve) await rememberStore(context, { data, madeBy: "demo", tenant: made.tenantId });
  else await showUse(context, settings, data, made, `Created the demo store ${toShownStore(data)}.`);
}

async function showDemo(context: CliContext, settings: Settings, data: string): Promise<void> {
  const { findFirstTenant } = await import("../../../http/local-client.ts");
  const { owner, ...facts } = await useDemo(context, data, findFirstTenant);
  const replacing = isPostgresAddress(data) ? "" : " `dispatch-cli demo --force` replaces it.";
  const title = `The demo store ${toShownStore(data)} already exists.${replacing}`;
  await showUse(context, settings, data, { ...facts, user: owner.user.username }, title);
}

/** Makes the store the default target. */
async function showUse(
  context: CliContext,
  settings: Settings,
  data: string,
  { locationId, tenantId, user }: DemoFacts,
  title: string,
): Promise<void> {
  const words = await rememberStore(context, { data, madeBy: "demo", tenant: tenantId });
  const facts = { data: toShownStore(data), location_id: locationId, tenant_id: tenantId, user };
  showFacts(context, settings, facts, [
    title,
    ...(words === "" ? ["Commands without another target use it."] : []),
    `Next: dispatch-cli day${words}`,
    `      dispatch-cli find potomac${words}`,
  ]);
}

async function serveDemo(
  context: CliContext,
  settings: Settings,
  data: string,
  options: OptionValues,
): Promise<void> {
  const { token, tenantId } = await useDemo(context, data, createToken);
  await serveUntilInterrupted(context, settings, data, options, (url) => toTryHints(url, tenantId, token));
}

/** Throws for other stores, to protect their data. */
async function useDemo<T>(
  { env }: CliContext,
  data: string,
  work: (service: Service, tenant: Tenant) => Promise<T>,
): Promise<T> {
  const { openService } = await import("../../../core/open-service.ts");
  const service = openService({ data, env });
  try {
    const { accounts, metadata } = service.store;
    if ((await metadata.get("made_by")) !== "demo") throw notDemo(data);
    const [tenant] = await accounts.tenants();
    if (!tenant) throw failure("store_unreadable", "The demo store has no tenant.");
    return await work(service, tenant);
  } finally {
    await service.store.close();
  }
}

function notDemo(data: string) {
  const shown = toShownStore(data);
  const detail = `${shown} is not a demo store, so demo did not change it. Use it with \`--data ${shown}\`, serve it with \`dispatch-cli serve\`, or choose another path.`;
  return failure("store_exists", detail);
}

async function createToken(
  service: Service,
  { id: tenantId }: Tenant,
): Promise<{ token: string; tenantId: number }> {
  const { makeOwnerToken } = await import("../../../http/local-client.ts");
  return { token: await makeOwnerToken(service, tenantId, "demo --serve"), tenantId };
}
