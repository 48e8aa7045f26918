import { Command, Option } from "commander";
import type { Service } from "../../../core/service.ts";
import { setUpTenant } from "../../../core/setup.ts";
import { failure } from "../../../errors/errors.ts";
import { findTimeZone, machineTimeZone, zoneWithSummerTime } from "../../../models/time-zone.ts";
import { setPrivateHooks } from "../../../store/held-deliveries.ts";
import { toShownStore } from "../../../store/postgres/address.ts";
import { makeSandbox } from "../../../store/store-clock.ts";
import { addFormOption, asOwn } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { showFacts } from "../../output/tell.ts";
import { defaultStore } from "../../profiles/last-store.ts";
import { readSettings } from "../../settings.ts";
import { rememberStore } from "../../target/remember-store.ts";
import { openStoreClient } from "../../target/target.ts";

export function initCommand(context: CliContext): Command {
  const command = new Command("init")
    .description("Create a store with a tenant, a location, and an owner.")
    .option("--data <store>", "store to create: a file or postgres://… (DISPATCH_DATA)")
    .addOption(asOwn(new Option("--tenant <name>", "the tenant's name").default("My company")))
    .addOption(asOwn(new Option("--location <name>", "name of the first location").default("Main yard")))
    .option("--username <name>", "the owner's username", "owner")
    .option("--time-zone <zone>", "time zone of dates and times (default: this machine's)", parseTimeZone)
    .option("--allow-private-hooks", "allow webhooks to private addresses, including this machine")
    .option(
      "--sandbox",
      "for tests: the clock can be set (`dispatch-cli clock`), and webhooks may go anywhere",
    );
  addFormOption(command).addHelpText(
    "after",
    '\nExample:\n  dispatch-cli init --tenant "Acme" --location "Main yard"',
  );
  return command.action(async () => {
    const { tenant: tenantName, ...options } = command.opts();
    const settings = readSettings(context, options);
    const data = settings.data.value ?? defaultStore();
    const { makeStore } = await import("../../../local/make-store.ts");
    const zone: string = options.timeZone ?? machineTimeZone();
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
      const location = await client.call("locations.create", { body: { name: options.location } });
      return { location_id: location.id, tenant_id: owner.scope.tenantId, user: owner.user.username };
    };
    const made = await makeStore(data, fill, { env: context.env });
    const shown = toShownStore(data);
    const words = await rememberStore(context, { data, madeBy: "init", tenant: null });
    showFacts(context, settings, { data: shown, ...made }, [
      `Created store ${shown}.`,
      `Tenant ${made.tenant_id} is ${tenantName}, location ${made.location_id} is ${options.location}. You are signed in as ${made.user}.`,
      `Times are in ${zone}. Change it with \`tenants update ${made.tenant_id} --time-zone <zone>\`.`,
      `Next: dispatch-cli customers create${words}`,
    ]);
  });
}

function parseTimeZone(text: string): string {
  const zone = findTimeZone(text);
  const meant = zoneWithSummerTime(text);
  if (meant !== null)
    throw failure("usage", `--time-zone ${text} ignores daylight saving time. Use ${meant}.`);
  if (zone !== null) return zone;
  throw failure("usage", `--time-zone ${text} is not a time zone. Use a name like America/Denver or UTC.`);
}
