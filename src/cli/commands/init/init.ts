import { Command, Option } from "commander";
import type { Service } from "../../../core/service.ts";
import { setUpTenant } from "../../../core/setup.ts";
import { failure } from "../../../errors/errors.ts";
import { findTimeZone, machineTimeZone } from "../../../models/time-zone.ts";
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

/** Makes a store with one tenant, one location and the tenant's owner. */
export function initCommand(context: CliContext): Command {
  const command = new Command("init")
    .description("Make a store with a tenant, a location and the tenant's owner.")
    .option("--data <store>", "the store to make, a file or postgres://… (DISPATCH_DATA)")
    .addOption(asOwn(new Option("--tenant <name>", "the tenant's name").default("My company")))
    .addOption(asOwn(new Option("--location <name>", "the first location's name").default("Main yard")))
    .option("--username <name>", "the owner's username", "owner")
    .option("--time-zone <zone>", "where people read and type times (default: this machine's)", parseTimeZone)
    .option("--allow-private-hooks", "webhooks may lead to private addresses, this machine's among them")
    .option(
      "--sandbox",
      "for trying things: its clock can be moved (`dispatch-cli clock`), its webhooks may lead anywhere",
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
      `Made the store ${shown}.`,
      `Tenant ${made.tenant_id} is ${tenantName}, location ${made.location_id} is ${options.location}; you act as ${made.user}.`,
      `Times are shown and read as in ${zone}; \`tenants update ${made.tenant_id} --time-zone <zone>\` changes it.`,
      `Next: dispatch-cli customers create${words}`,
    ]);
  });
}

function parseTimeZone(text: string): string {
  const zone = findTimeZone(text);
  if (zone !== null) return zone;
  throw failure(
    "usage",
    `--time-zone ${text}: there is no such time zone; one is written like America/Denver or UTC.`,
  );
}
