import { Command } from "commander";
import { toActor } from "../../../auth/actor.ts";
import { callOperation } from "../../../core/call-operation.ts";
import type { Service } from "../../../core/service.ts";
import { failure } from "../../../errors/errors.ts";
import { newestVersion } from "../../../models/api-versions.ts";
import { loadOperation } from "../../../operations/index.ts";
import { toShownStore } from "../../../store/postgres/address.ts";
import { addFormOption } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { showFacts } from "../../output/show-facts.ts";
import { tell } from "../../output/tell.ts";
import { readSettings, type Settings } from "../../settings.ts";
import { defaultStore, refuseServer } from "../../target/target.ts";
import { addServeOptions, serveUntilInterrupted } from "../serve/serve.ts";

const demoSeed = 1;

/** What it says is for people: lines of a log would stand between its sentences. */
const defaultLogLevel = "error";

/** Makes a store of examples; --serve makes it where it is missing, and serves it. */
export function demoCommand(context: CliContext): Command {
  const command = new Command("demo")
    .description(
      "Make a store full of believable examples: tenants, customers at real addresses, trucks, jobs, webhooks.",
    )
    .option(
      "--data <store>",
      "the store to make, a file or postgres://… (DISPATCH_DATA); by default demo.db in the program's data folder",
    )
    .option("--jobs <n>", "how many jobs", parseCount, 2000)
    .option("--seed <n>", "the same seed makes the same examples", parseCount, demoSeed)
    .option("--serve", "serve it, and make it first unless it is there");
  addFormOption(addServeOptions(command, defaultLogLevel)).addHelpText(
    "after",
    "\nExample:\n  dispatch-cli demo --serve",
  );
  return command.action(async () => {
    const options = command.opts();
    const settings = readSettings(context, options);
    refuseServer(settings);
    const data = settings.data.value ?? defaultStore("demo.db");
    const { isStoreThere } = await import("../../../local/make-store.ts");
    if (!options.serve || !(await isStoreThere(data)))
      await makeDemo(context, settings, data, options.jobs, options.seed, options.serve);
    if (options.serve) await serveDemo(context, settings, data, options);
  });
}

function parseCount(text: string): number {
  if (/^\d{1,9}$/.test(text) && Number(text) > 0) return Number(text);
  throw failure("usage", `"${text}" is no whole number above 0.`);
}

async function makeDemo(
  context: CliContext,
  settings: Settings,
  data: string,
  jobs: number,
  seed: number,
  isServing: boolean,
): Promise<void> {
  const { fillDemoStore } = await import("../../../demo/fill-demo-store.ts");
  // A store that is there already is refused before anything is printed.
  const { isStoreThere, makeStore } = await import("../../../local/make-store.ts");
  if (!(await isStoreThere(data))) tell(context.stderr, `Making a demo store with ${jobs} jobs …`);
  const made = await makeStore(data, (service) => fillDemoStore(service, { seed, jobs }));
  if (isServing) return;
  const shown = toShownStore(data);
  const facts = { data: shown, location_id: made.locationId, tenant_id: made.tenantId, user: made.user };
  showFacts(context, settings, facts, [
    `Made the demo store ${shown}.`,
    `Next: dispatch-cli jobs list --data ${shown} --tenant ${made.tenantId}`,
  ]);
}

async function serveDemo(
  context: CliContext,
  settings: Settings,
  data: string,
  options: Record<string, unknown>,
): Promise<void> {
  const { token, tenantId } = await makeToken(data);
  const asked = { ...options, logLevel: options.logLevel ?? defaultLogLevel };
  await serveUntilInterrupted(context, settings, data, asked, (url) => [
    "In another terminal, try:",
    "",
    `  export DISPATCH_URL=${url} DISPATCH_TENANT=${tenantId} DISPATCH_TOKEN=${token}`,
    "  npx dispatch-cli jobs list --is-dispatched true --page-limit 5",
    "",
    "or, with any HTTP client:",
    "",
    `  curl "${url}/jobs?page_limit=1" -H "authorization: Bearer ${token}" -H "x-tenant-id: ${tenantId}"`,
  ]);
}

/** A token for a day, for the owner of the first tenant. Refuses a store that is no demo: its data are somebody's. */
async function makeToken(data: string): Promise<{ token: string; tenantId: number }> {
  const { openService } = await import("../../../local/open-service.ts");
  const service = openService({ data });
  try {
    if ((await service.store.metadata.get("made_by")) !== "demo") {
      throw failure(
        "store_exists",
        `${toShownStore(data)} is a store, but not made by demo; serve it with \`dispatch-cli serve\`.`,
      );
    }
    return await createToken(service);
  } finally {
    await service.store.close();
  }
}

async function createToken(service: Service): Promise<{ token: string; tenantId: number }> {
  const [tenant] = await service.store.accounts.tenants();
  const user = tenant && (await service.store.accounts.findUser(tenant.id, null));
  if (!user) throw failure("store_unreadable", "The demo store has no tenant with a user.");
  const { value } = await callOperation(service, await loadOperation("tokens.create"), {
    actor: toActor(tenant.id, user, null, null),
    body: async () => ({ username: user.username, name: "demo --serve" }),
    params: {},
    query: {},
    requestId: service.makeUuid(),
    version: newestVersion,
  });
  return { token: (value as { token: string }).token, tenantId: tenant.id };
}
