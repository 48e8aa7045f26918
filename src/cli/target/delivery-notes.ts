import type { Service } from "../../core/service.ts";
import { usageFailure } from "../../errors/errors.ts";
import { toShellWord } from "../../runtime/shell-word.ts";
import { allowsPrivateHooks, type Hold, readHold, toHoldSentence } from "../../store/held-deliveries.ts";
import { toShownStore } from "../../store/postgres/address.ts";
import type { SecretKeys } from "../../store/secrets/secret-keys.ts";
import { isGuardedLiteral } from "../../webhooks/address-guard.ts";
import { hasDeliverer } from "../../webhooks/deliverer-mark.ts";
import type { OptionValues } from "../context.ts";

/** Every command accepts --tenant, but the hold has no tenant. */
export function refuseTenant({ tenant }: OptionValues): void {
  if (tenant === undefined) return;
  throw usageFailure(
    "`hooks pause` and `hooks resume` are for the deliveries of all tenants.",
    "Leave out --tenant. `tenants freeze` holds the deliveries of one tenant, and its changes.",
  );
}

/** Says that the store holds its deliveries, and names the command that resumes them. */
export function toHoldNote(hold: Hold, data: string): string {
  const command = `dispatch-cli hooks resume --data ${toShellWord(toShownStore(data))}`;
  return `${toHoldSentence(hold)} \`${command}\` sends or discards them.`;
}

/** Either no process sends deliveries, or the store holds them. */
export async function isLeftToNobody(service: Service): Promise<boolean> {
  if ((await readHold(service.store.metadata)) !== null) return true;
  return !(await hasDeliverer(service));
}

/** Names the commands that send the pending deliveries of a store, and the options that they need. */
export async function describeDeliverers({ store }: Service, keys: SecretKeys): Promise<string> {
  const hold = await readHold(store.metadata);
  if (hold) return `the store holds them since ${hold.since}; \`hooks resume\` shows why and sends them`;
  const needs: string[] = [];
  if (!(await allowsPrivateHooks(store.metadata.get))) {
    const urls = await store.backlog.urlsPending();
    if (urls.some((url) => isGuardedLiteral(new URL(url))))
      needs.push("those to private addresses only with --allow-private-hooks");
  }
  const { lacksKey } = await import("../../store/life/reseal-secrets.ts");
  if (await lacksKey(store, keys))
    needs.push("those with an encrypted secret only with its key (`secrets status`)");
  return ["`serve` or `hooks deliver` sends them", ...needs].join(", ");
}
