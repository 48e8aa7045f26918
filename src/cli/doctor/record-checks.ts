import { type Timestamp, toEpochMs } from "../../runtime/clock.ts";
import { toShellWord } from "../../runtime/shell-word.ts";
import type { RecordFacts } from "../../store/health/record-facts.ts";
import type { WrongRoles } from "../../store/health/wrong-roles.ts";
import { toHoldSentence } from "../../store/held-deliveries.ts";
import type { SecretForms } from "../../store/queries/secret-forms.ts";
import type { SecretKeys } from "../../store/secrets/secret-keys.ts";
import { isGuardedLiteral } from "../../webhooks/address-guard.ts";
import { bad, type Check, ok, warn } from "./finding.ts";

export interface RecordsAt {
  facts: RecordFacts;
  isSandbox: boolean;
  keys: SecretKeys;
  /** The store's clock, which a sandbox may have moved. */
  now: Timestamp;
  /** `--data …`, quoted for a shell. */
  target: string;
  restore: string;
}

const minuteMs = 60_000;
/** Synchronized machines differ by less. */
const skewMsMax = 5_000;
const dayMs = 86_400_000;

export const recordChecks: readonly Check<RecordsAt>[] = [
  {
    name: "copy",
    judge: ({ facts, target }) =>
      facts.isHalfCopy
        ? warn(
            "an unfinished copy of another store, which cannot be used",
            `dispatch-cli store copy --from <store> ${target.replace("--data", "--to")}`,
          )
        : ok("no unfinished copy"),
  },
  {
    name: "clock",
    judge: ({ facts: { lastWrittenOn }, isSandbox, now }) => {
      if (lastWrittenOn === null) return ok("no data yet");
      if (toEpochMs(lastWrittenOn) - toEpochMs(now) <= skewMsMax)
        return ok(`last written on ${lastWrittenOn}`);
      if (isSandbox)
        return ok(`last written on ${lastWrittenOn}, before the clock of this sandbox moved back`);
      return warn(
        `last written on ${lastWrittenOn}, which is later than this machine's ${now}`,
        "Set the clock of this machine, or of the machine that wrote it (`date -u` shows it).",
      );
    },
  },
  {
    name: "leases",
    judge: ({ facts: { hold, oldestLease }, now, target }) =>
      hold === null && isLongAgo(oldestLease, now, 5 * minuteMs)
        ? warn(`a worker claimed deliveries until ${oldestLease} and did not return`, toDeliver(target))
        : ok("no worker abandoned deliveries"),
  },
  {
    name: "deliveries",
    judge: ({ facts: { dueSince, hold, oldestPendingOn }, now, target }) => {
      if (hold) return warn(toHoldSentence(hold), `dispatch-cli hooks resume ${target}`);
      if (oldestPendingOn === null) return ok("nothing is pending");
      if (isLongAgo(dueSince, now, 5 * minuteMs))
        return warn(`due since ${dueSince}, but no server sends them`, toDeliver(target));
      return ok(`the oldest pending delivery is from ${oldestPendingOn}`);
    },
  },
  {
    name: "webhooks",
    judge: ({ facts: { disabledHooks }, target }) => {
      const [first] = disabledHooks;
      if (!first) return ok("none was deactivated after failures");
      return warn(
        `webhook ${first.id} of tenant ${first.tenantId} was deactivated: ${first.reason}${sayOthers(disabledHooks)}`,
        `dispatch-cli hooks enable ${first.id} --tenant ${first.tenantId} ${target}`,
      );
    },
  },
  {
    name: "receivers",
    judge: ({ facts: { failingHooks }, now, target }) => {
      const failing = failingHooks.filter(({ since }) => isLongAgo(since, now, 60 * minuteMs));
      const [first] = failing;
      if (!first) return ok("none has failed for an hour");
      return warn(
        `the receiver of webhook ${first.id} of tenant ${first.tenantId} has failed since ${first.since}${sayOthers(failing)}`,
        `dispatch-cli hooks health ${target}`,
      );
    },
  },
  {
    name: "tenants",
    judge: ({ facts: { frozenTenants }, target }) => {
      const [first] = frozenTenants;
      if (!first) return ok("none is frozen");
      return warn(
        `tenant ${first.id} is frozen, so its changes and deliveries wait: ${first.reason}${sayOthers(frozenTenants)}`,
        `dispatch-cli tenants unfreeze ${first.id} ${target}`,
      );
    },
  },
  {
    name: "roles",
    judge: ({ facts: { wrongRoles }, restore, target }) => {
      const [first] = wrongRoles;
      if (!first) return ok("every role exists");
      const others = wrongRoles.length === 1 ? "" : ` (and ${wrongRoles.length - 1} more)`;
      const detail = `${first.what} ${first.id} of tenant ${first.tenantId} has the roles ${first.stored}${others}`;
      return bad(detail, toRolesFix(first, target, restore));
    },
  },
  {
    name: "secrets",
    judge: ({ facts: { secrets }, keys, target }) => judgeSecrets(secrets, keys, target),
  },
  {
    name: "private hooks",
    judge: ({ facts: { activeHooks, allowsPrivateHooks }, target }) => {
      if (allowsPrivateHooks) return ok("webhooks may use private addresses");
      const guarded = activeHooks.filter(({ url }) => isGuardedLiteral(new URL(url)));
      const [first] = guarded;
      if (!first) return ok("webhooks use public addresses only");
      const others = guarded.length === 1 ? "" : ` (and ${guarded.length - 1} more)`;
      return warn(
        `webhook ${first.id} of tenant ${first.tenantId} uses ${first.url}, which is not a public address, so it is never called${others}`,
        `dispatch-cli store policy --private-hooks allow ${target}`,
      );
    },
  },
  {
    name: "retention",
    judge: ({ facts: { latePruning }, isSandbox, target }) => {
      const [first] = latePruning;
      if (!first || isSandbox) return ok("nothing is kept longer than the rules allow");
      const others = latePruning.length === 1 ? "" : ` (and ${latePruning.length - 1} more)`;
      return warn(
        `${first.kind} of tenant ${first.tenantId} are kept more than a day longer than ${first.keptFor}${others}: pruning does not run, or is too slow`,
        `dispatch-cli prune --yes ${target}`,
      );
    },
  },
  {
    name: "tokens",
    judge: ({ facts: { expiringTokens }, now, target }) => {
      const soon = expiringTokens.filter(
        ({ expiresOn }) => toEpochMs(expiresOn) - toEpochMs(now) < 7 * dayMs,
      );
      const [first] = soon;
      if (!first) return ok("none expires within 7 days");
      const others = soon.length === 1 ? "" : ` (and ${soon.length - 1} more)`;
      return warn(
        `token ${first.id} of tenant ${first.tenantId}, user ${first.username}, expires on ${first.expiresOn}${others}`,
        `dispatch-cli tokens create --username ${toShellWord(first.username)} --roles ${first.roles.join(",")} --tenant ${first.tenantId} ${target}`,
      );
    },
  },
];

/** A user without a role becomes a Driver, the role with the fewest rights. Unreadable roles need a restore. */
function toRolesFix(
  { id, left, locationId, tenantId, what }: WrongRoles,
  target: string,
  restore: string,
): string {
  if (left === null) return restore;
  if (what === "token") return `dispatch-cli tokens revoke ${id} --tenant ${tenantId} ${target} --yes`;
  const kept = left.length > 0 ? left : ["Driver"];
  return `dispatch-cli users update ${id} --location ${locationId} --roles ${kept.join(",")} --tenant ${tenantId} ${target}`;
}

/** Plain text is the operator's choice. A wrong key is a problem. */
function judgeSecrets(secrets: SecretForms, keys: SecretKeys, target: string) {
  const { keyId, plain, sealed } = secrets;
  const form = keyId === null ? "decrypt" : "encrypt";
  const wanted = [...new Set([...(keyId === null ? [] : [keyId]), ...Object.keys(sealed)])];
  if (wanted.length === 0)
    return ok(`${plain} webhook secrets in plain text (\`secrets encrypt\` encrypts them)`);
  const missing = wanted.filter((id) => !keys.some((key) => key.id === id));
  if (missing.length > 0 && keys.length > 0) {
    const given = keys.map(({ id }) => id).join(", ");
    const fix = `Pass the keys ${wanted.join(", ")} in DISPATCH_SECRET_KEY or --secret-key-file.`;
    return bad(`encrypted with key ${missing.join(", ")}; the given key is ${given}`, fix);
  }
  if (keyId === null || plain > 0)
    return warn(
      `mixed: ${plain} in plain text, others encrypted with key ${wanted.join(", ")}`,
      `dispatch-cli secrets ${form} ${target} --secret-key-file <file>`,
    );
  if (missing.length > 0)
    return ok(`encrypted with key ${wanted.join(", ")}, which was not given (--secret-key-file)`);
  return ok(`encrypted with key ${wanted.join(", ")}, the given key`);
}

function isLongAgo(moment: Timestamp | null, now: Timestamp, ms: number): boolean {
  return moment !== null && toEpochMs(now) - toEpochMs(moment) > ms;
}

const toDeliver = (target: string) => `dispatch-cli hooks deliver ${target}`;

const sayOthers = (all: readonly unknown[]) => (all.length > 1 ? ` (and ${all.length - 1} more)` : "");
