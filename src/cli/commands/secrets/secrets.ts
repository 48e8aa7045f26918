import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Command } from "commander";
import type { Service } from "../../../core/service.ts";
import { failure } from "../../../errors/errors.ts";
import { isPostgresAddress, toShownStore } from "../../../store/postgres/address.ts";
import type { SecretForms } from "../../../store/queries/secret-forms.ts";
import type { SecretKeys } from "../../../store/secrets/secret-keys.ts";
import { addFormOption } from "../../common-options.ts";
import type { CliContext, OptionValues } from "../../context.ts";
import { showFacts, tell } from "../../output/tell.ts";
import { requireYes } from "../../prompts/require-yes.ts";
import { readSettings, type Settings } from "../../settings.ts";
import { readKeyFile, readSecretKeys } from "../../target/read-secret-keys.ts";
import { storeOf } from "../../target/target.ts";
import { type CommandEffect, defineBuiltin } from "../builtin.ts";

export function secretsCommand(context: CliContext): Command {
  return new Command("secrets")
    .description(
      "Encrypt the webhook secrets of a store (AES-256-GCM), so that a stolen file or backup cannot sign. The key is 32 bytes in Base64 (`openssl rand -base64 32`). Pass it to every server with DISPATCH_SECRET_KEY or --secret-key-file. Without the key the secrets are lost.",
    )
    .helpCommand(false)
    .addCommand(statusCommand(context))
    .addCommand(encryptCommand(context))
    .addCommand(rotateCommand(context))
    .addCommand(decryptCommand(context));
}

function statusCommand(context: CliContext): Command {
  const command = toCommand(
    "status",
    "read",
    "Count plain and encrypted secrets, with the ID of the key. Needs no key.",
  );
  return command.action(() =>
    useStore(context, command.opts(), async ({ keys, service, settings, shown }) => {
      const forms = await service.store.secretForms.read();
      showFacts(context, settings, toSecretFacts(forms, keys), [
        forms.keyId === null
          ? `${shown} stores secrets as plain text.`
          : `${shown} encrypts secrets with key ${forms.keyId}.`,
        ...toCounts(forms),
        ...(keys.length === 0 ? [] : [`Given here: key ${keys.map(({ id }) => id).join(", ")}.`]),
      ]);
    }),
  );
}

function encryptCommand(context: CliContext): Command {
  const command = toCommand(
    "encrypt",
    "write",
    "Encrypt all secrets with the given key, now and in the future. No plain text stays in a store's file.",
  );
  return command.action(() =>
    useStore(context, command.opts(), async (used) => {
      const [key] = used.keys;
      if (!key) throw noKey();
      const { keyId } = await used.service.store.secretForms.read();
      // With several keys, the store's current key stays; `rotate` changes it.
      await reseal(context, used, keyId ?? key.id, "encrypted");
    }),
  );
}

function rotateCommand(context: CliContext): Command {
  const command = toCommand(
    "rotate",
    "write",
    "Encrypt all secrets with a new key. Pass the current key as usual. Give running servers both keys first.",
  ).requiredOption("--new-key-file <file>", "file with the new key");
  return command.action(() => {
    const [added, ...more] = readKeyFile(String(command.opts().newKeyFile));
    if (!added || more.length > 0) throw failure("usage", "--new-key-file must hold one key.");
    return useStore(
      context,
      command.opts(),
      async (used) => {
        if ((await used.service.store.secretForms.keyId()) === null) {
          const detail = `${used.shown} stores secrets as plain text. Run \`secrets encrypt\` first.`;
          throw failure("state_conflict", detail);
        }
        await reseal(context, used, added.id, "re-encrypted");
      },
      [added],
    );
  });
}

function decryptCommand(context: CliContext): Command {
  const command = toCommand(
    "decrypt",
    "dangerous",
    "Decrypt all secrets, and store new ones as plain text.",
  ).option("--yes", "do not ask for confirmation");
  return command.action(() =>
    useStore(context, command.opts(), async (used) => {
      const question = `Store the secrets of ${used.shown} as plain text, readable in the store and its backups?`;
      await requireYes(context, question, command.opts());
      await reseal(context, used, null, "decrypted");
    }),
  );
}

function toCommand(name: string, effect: CommandEffect, description: string): Command {
  const command = defineBuiltin(name, effect)
    .description(description)
    .option("--data <store>", "store to work on: a file or postgres://… (DISPATCH_DATA)")
    .option("--secret-key-file <file>", "file (mode 0600) with the key, or DISPATCH_SECRET_KEY");
  const rest = name === "rotate" ? " --new-key-file new.key" : name === "decrypt" ? " --yes" : "";
  return addFormOption(command).addHelpText(
    "after",
    `\nExample:\n  dispatch-cli secrets ${name} --data dispatch.db --secret-key-file secret.key${rest}`,
  );
}

interface Used {
  data: string;
  keys: SecretKeys;
  service: Service;
  settings: Settings;
  shown: string;
}

/** `more` adds keys, which the store need not use yet. */
async function useStore(
  context: CliContext,
  options: OptionValues,
  work: (used: Used) => Promise<void>,
  more: SecretKeys = [],
): Promise<void> {
  const settings = readSettings(context, options);
  if (settings.url.value !== null)
    throw failure("usage", "`secrets` works on a store (--data), on the machine of the store.");
  const data = storeOf(settings).value;
  const keys = [...readSecretKeys(context, settings), ...more];
  const { openService } = await import("../../../core/open-service.ts");
  const service = openService({ data, env: context.env, secretKeys: keys });
  try {
    await service.store.database.check();
    await work({ data, keys, service, settings, shown: toShownStore(data) });
  } finally {
    await service.store.close();
  }
}

async function reseal(context: CliContext, used: Used, keyId: string | null, done: string): Promise<void> {
  const { data, keys, service, settings, shown } = used;
  const { checkSecretKeys, resealSecrets } = await import("../../../store/life/reseal-secrets.ts");
  await checkSecretKeys(service.store, keys);
  const changed = await resealSecrets(service.store, keys, keyId);
  const forms = await service.store.secretForms.read();
  const left = keyId === null ? [] : await tellWhatIsLeft(data);
  showFacts(context, settings, { changed, ...toSecretFacts(forms, keys) }, [
    `${changed} secrets of ${shown} were ${done}.`,
    ...toCounts(forms),
  ]);
  if (settings.form === "table") for (const line of left) tell(context.stderr, line);
}

function toSecretFacts({ keyId, plain, sealed }: SecretForms, keys: SecretKeys) {
  return { encrypted: sealed, given_keys: keys.map(({ id }) => id), key: keyId, plain };
}

function toCounts({ plain, sealed }: SecretForms): string[] {
  const encrypted = Object.entries(sealed).map(([id, count]) => `${count} encrypted with key ${id}`);
  return [`${[`${plain} in plain text`, ...encrypted].join(", ")}.`];
}

function noKey() {
  const detail = "The key is missing. Set DISPATCH_SECRET_KEY or pass --secret-key-file.";
  return failure("usage", detail);
}

/** Returns what the operator must do: PostgreSQL keeps old row versions, which only its operator can delete. */
async function tellWhatIsLeft(data: string): Promise<string[]> {
  if (isPostgresAddress(data)) {
    return [
      "PostgreSQL keeps old row versions until `vacuum full hooks`, and longer in its write-ahead log and backups.",
      toldOfBackups,
    ];
  }
  const { forgetDeleted } = await import("../../../store/life/reseal-secrets.ts");
  forgetDeleted(data);
  const copies = readdirSync(dirname(data)).filter(
    (name) => name.startsWith(`${basename(data)}.`) && /\.(?:bak|before-restore)/.test(name),
  );
  if (copies.length === 0) return [toldOfBackups];
  const paths = copies.map((name) => join(dirname(data), name)).join(", ");
  return [`Copies beside the store still hold the old secrets: ${paths}.`, toldOfBackups];
}

const toldOfBackups = "Earlier backups still hold the old secrets.";
