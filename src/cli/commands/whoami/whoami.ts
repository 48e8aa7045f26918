import type { Command } from "commander";
import type { Actor } from "../../../core/actor.ts";
import { newestVersion } from "../../../models/api-versions.ts";
import { isPostgresAddress } from "../../../store/postgres/address.ts";
import { addFormOption, addTargetOptions } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { showFacts } from "../../output/tell.ts";
import type { Settings } from "../../settings.ts";
import { askWhoami } from "../../target/ask-whoami.ts";
import { storeOf, type Target } from "../../target/target.ts";
import { useTarget } from "../../target/use-target.ts";
import { defineBuiltin } from "../builtin.ts";

export function whoamiCommand(context: CliContext): Command {
  const command = defineBuiltin("whoami", "read").description(
    "Show the current target, tenant, and user, and the source of each setting.",
  );
  addFormOption(addTargetOptions(command)).addHelpText("after", "\nExample:\n  dispatch-cli whoami");
  return command.action(() => {
    return useTarget(context, command.opts(), async (target, settings) => {
      const facts = await toWhoamiFacts(context, settings, target);
      showFacts(context, settings, facts, toLines(facts));
    });
  });
}

async function toWhoamiFacts(context: CliContext, settings: Settings, target: Target) {
  const isStore = target.store !== null;
  const actor = target.store?.actor;
  const { frozen_reason, ...me } = actor ? ownFacts(actor) : await askWhoami(target);
  return {
    target: target.name,
    driver: isStore ? await describeDriverOf(storeOf(settings).value) : null,
    target_source: isStore ? storeOf(settings).source : settings.url.source,
    tenant: target.tenant.id,
    tenant_name: target.tenant.name,
    tenant_source: settings.tenant.source,
    frozen_reason,
    ...(await locationFacts(context, settings, target)),
    ...me,
    user_source: isStore ? settings.as.source : tokenSource(settings),
    api_version: settings.apiVersion.value ?? newestVersion,
    api_version_source: settings.apiVersion.source,
    output: settings.form,
    output_source: settings.formSource,
    profile: settings.profile.value?.name ?? null,
    profile_source: settings.profile.source,
  };
}

async function describeDriverOf(store: string): Promise<string> {
  if (isPostgresAddress(store)) return "pg";
  const { describeDriver } = await import("../../../store/sqlite/driver.ts");
  return describeDriver();
}

async function locationFacts(context: CliContext, { location }: Settings, { client }: Target) {
  const { usualLocation } = await import("../../names/follow-records.ts");
  const resolving = { context, client, choose: null, tells: false };
  const id = await usualLocation(resolving, location);
  if (id === null) return { location: null, location_name: null, location_source: "several, name one" };
  const { name } = await client.call("locations.get", { params: { location_id: id } });
  const source = location.value === null ? "the only one" : location.source;
  return { location: Number(id), location_name: name, location_source: source };
}

const tokenSource = ({ tokenFile, token }: Settings) =>
  tokenFile.value === null ? token.source : tokenFile.source;

const ownFacts = ({ frozenReason, roles, user }: Actor) => ({
  frozen_reason: frozenReason,
  user: user.username,
  roles,
  token_id: null,
  token_expires_on: null,
});

function toLines(facts: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(facts)
    .filter(([name]) => !name.endsWith("_source"))
    .map(([name, value]) => {
      const source = facts[`${name}_source`];
      return `${name.padEnd(namesWidth)}  ${toValueText(value)}${source ? ` (${source})` : ""}`;
    });
}

const namesWidth = "token_expires_on".length;

const toValueText = (value: unknown) => (Array.isArray(value) ? value.join(", ") : String(value ?? "–"));
