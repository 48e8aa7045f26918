import { Command } from "commander";
import { addFormOption, addTargetOptions } from "../common-options.ts";
import { readSettings, type Settings } from "../settings.ts";
import { showFacts } from "../show-facts.ts";
import { openTarget, storeOf, type Target } from "../target.ts";
import type { World } from "../world.ts";

/** Tells the target, the tenant, the user and its roles, and where each setting came from. */
export function whoamiCommand(world: World): Command {
  const command = new Command("whoami").description(
    "Show the target, the tenant and as whom you act, and where each setting came from.",
  );
  addFormOption(addTargetOptions(command)).addHelpText("after", "\nExample:\n  dispatch-cli whoami");
  return command.action(async () => {
    const settings = readSettings(world, command.opts());
    const target = await openTarget(world, settings);
    try {
      const facts = await toFacts(settings, target);
      const lines = Object.entries(facts).map(
        ([name, value]) => `${name.padEnd(namesWidth)}  ${toText(value)}`,
      );
      showFacts(world, settings, facts, lines);
    } finally {
      await target.caller.close();
    }
  });
}

async function toFacts(settings: Settings, target: Target) {
  const isStore = target.kind === "store";
  const me = isStore ? ownFacts(target.actor.user.username, target.actor.roles) : await askServer(target);
  return {
    target: target.name,
    target_source: isStore ? storeOf(settings).source : settings.url.source,
    tenant: target.tenant.id,
    tenant_name: target.tenant.name,
    tenant_source: settings.tenant.source,
    user_source: isStore ? settings.as.source : "token",
    ...me,
    api_version: settings.apiVersion.value,
  };
}

const ownFacts = (user: string, roles: readonly string[]) => ({
  user,
  roles,
  token_id: null,
  token_expires_on: null,
});

async function askServer({ url, headers }: Extract<Target, { kind: "server" }>) {
  const { sendRaw } = await import("../../remote/remote-caller.ts");
  const answer = await sendRaw(url, { method: "GET", path: "/whoami", headers, body: undefined });
  return JSON.parse(answer.body.toString("utf8"));
}

const namesWidth = "token_expires_on".length;

const toText = (value: unknown) => (Array.isArray(value) ? value.join(", ") : String(value ?? "–"));
