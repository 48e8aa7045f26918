import { existsSync } from "node:fs";
import { type Command, Option } from "commander";
import type { Service } from "../../../core/service.ts";
import { setUpTenant } from "../../../core/setup.ts";
import { failure } from "../../../errors/errors.ts";
import { findTimeZone, machineTimeZone, zoneWithSummerTime } from "../../../models/time-zone.ts";
import { setPrivateHooks } from "../../../store/held-deliveries.ts";
import { isPostgresAddress, toShownStore } from "../../../store/postgres/address.ts";
import { makeSandbox } from "../../../store/store-clock.ts";
import { addFormOption, asOwn } from "../../common-options.ts";
import { type CliContext, canAsk, type OptionValues } from "../../context.ts";
import { showFacts } from "../../output/tell.ts";
import { defaultStore } from "../../profiles/last-store.ts";
import { readSettings } from "../../settings.ts";
import { rememberStore } from "../../target/remember-store.ts";
import { openStoreClient } from "../../target/target.ts";
import { defineBuiltin } from "../builtin.ts";

export function initCommand(context: CliContext): Command {
  const command = defineBuiltin("init", "write")
    .description("Create a store with a tenant, a location, and an owner.")
    .option("--data <store>", "store to create: a file or postgres://… (DISPATCH_DATA)")
    .addOption(asOwn(new Option("--tenant <name>", `the tenant's name (default ${usual.tenant})`)))
    .addOption(
      asOwn(new Option("--location <name>", `name of the first location (default ${usual.location})`)),
    )
    .option("--username <name>", "the owner's username", "owner")
    .option("--time-zone <zone>", "time zone of dates and times (default: this machine's)", parseTimeZone)
    .option("--allow-private-hooks", "allow webhooks to private addresses, including this machine")
    .option(
      "--sandbox",
      "for tests: the clock can be set (`dispatch-cli clock`), and webhooks may use private addresses",
    );
  addFormOption(command).addHelpText(
    "after",
    '\nExample:\n  dispatch-cli init --tenant "Acme" --location "Main yard"',
  );
  return command.action(async () => {
    const { tenant: _, ...options } = command.opts();
    const settings = readSettings(context, options);
    const data = settings.data.value ?? defaultStore();
    const {
      location: locationName,
      tenant: tenantName,
      zone,
    } = await askNames(context, data, command.opts());
    const { makeStore } = await import("../../../core/make-store.ts");
    const fill = async (service: Service) => {
      if (options.sandbox === true) await makeSandbox(service);
      if (options.allowPrivateHooks === true) await setPrivateHooks(service.store.metadata, true);
      const uid = service.makeUuid();
      const owner = await setUpTenant(
        service,
        tenantName,
        { username: options.username, uid },
        { time_zone: zone },
      );
      const client = await openStoreClient(context, service, owner);
      const location = await client.call("locations.create", { body: { name: locationName } });
      return { location_id: location.id, tenant_id: owner.scope.tenantId, user: owner.user.username };
    };
    const made = await makeStore(data, fill, { env: context.env });
    const shown = toShownStore(data);
    const words = await rememberStore(context, { data, madeBy: "init", tenant: null });
    showFacts(context, settings, { data: shown, ...made }, [
      `Created store ${shown}.`,
      `Tenant ${made.tenant_id} is ${tenantName}, location ${made.location_id} is ${locationName}. You are signed in as ${made.user}.`,
      `Times are in ${zone}. Change it with \`tenants update ${made.tenant_id} --time-zone <zone>\`.`,
      `Next: dispatch-cli customers create${words}`,
    ]);
  });
}

const usual = { location: "Main yard", tenant: "My company" } as const;

/** On a terminal, asks for missing names. */
async function askNames(context: CliContext, data: string, options: OptionValues) {
  const isThere = !isPostgresAddress(data) && existsSync(data);
  const asks = !isThere && canAsk(context, options) && options.input !== false;
  const ask = async (
    given: unknown,
    message: string,
    preset: string,
    refuse: (text: string) => string | null = (text) => (text.trim() === "" ? "Type a name." : null),
  ) => {
    if (typeof given === "string") return given;
    if (!asks) return preset;
    const { askTyped } = await import("../../prompts/prompts.ts");
    return askTyped(context, message, { preset, validate: (text) => refuse(text) ?? true });
  };
  const tenant = await ask(options.tenant, "Name of your company", usual.tenant);
  const location = await ask(options.location, "Name of the first location", usual.location);
  const zone = await ask(options.timeZone, "Time zone", machineTimeZone(), refuseZone);
  return { location, tenant, zone: findTimeZone(zone) ?? zone };
}

function parseTimeZone(text: string): string {
  const refusal = refuseZone(text);
  if (refusal === null) return findTimeZone(text) ?? text;
  throw failure("usage", `--time-zone ${refusal}`);
}

function refuseZone(text: string): string | null {
  const meant = zoneWithSummerTime(text);
  if (meant !== null) return `${text} ignores daylight saving time. Use ${meant}.`;
  return findTimeZone(text) === null
    ? `${text} is not a time zone. Use a name like America/Denver or UTC.`
    : null;
}
