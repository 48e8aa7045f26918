import { existsSync } from "node:fs";
import { basename } from "node:path";
import type { Command } from "commander";
import { failure } from "../../../errors/errors.ts";
import { systemClock } from "../../../runtime/clock.ts";
import type { BackupSource } from "../../../store/backups/chunks.ts";
import type { OpenedBackup } from "../../../store/backups/open-backup.ts";
import { toSize } from "../../../store/life/size.ts";
import { isPostgresAddress, toShownStore } from "../../../store/postgres/address.ts";
import { addFormOption } from "../../common-options.ts";
import type { CliContext, OptionValues } from "../../context.ts";
import { runLongWork } from "../../outcome/long-work.ts";
import { showFacts } from "../../output/tell.ts";
import { toCellText } from "../../output/text.ts";
import { requireTypedName } from "../../prompts/require-yes.ts";
import { readSettings, type Settings } from "../../settings.ts";
import { addDecryptionOptions, readBackupKeys } from "../../target/backup-keys.ts";
import { toHoldNote } from "../../target/delivery-notes.ts";
import { storeOf } from "../../target/target.ts";
import { defineBuiltin } from "../builtin.ts";

export function restoreCommand(context: CliContext): Command {
  const command = defineBuiltin("restore", "dangerous")
    .description(
      "Restore a store from a backup. The backup is checked in full first. An existing store is replaced in one step and kept as <file>.before-restore-<time>; no program may have it open. A PostgreSQL database must be empty.",
    )
    .argument("<file>", "backup file, - for standard input")
    .option("--data <store>", "store to create or replace: a file or postgres://… (DISPATCH_DATA)")
    .option("--check", "only check the backup in a temporary store, and show its contents")
    .option("--yes", "replace an existing store without confirmation");
  addFormOption(addDecryptionOptions(command)).addHelpText(
    "after",
    "\nExamples:\n  dispatch-cli restore dispatch.backup.gz --data dispatch.db\n  dispatch-cli restore dispatch.gz.age --check --identity-file backup.key\n  ssh backup.example.com cat dispatch.gz | dispatch-cli restore - --data dispatch.db",
  );
  return command.action(async (file: string) => {
    const options = command.opts();
    const settings = readSettings(context, options);
    if (settings.url.value !== null)
      throw failure("usage", "`restore` works on a store (--data), on the machine of the store.");
    const keys = await readBackupKeys(options);
    const { openRestorable } = await import("../../../store/backups/restore-store.ts");
    const { requireOther } = await import("../../../store/backups/backup-store.ts");
    const data = options.check ? null : storeOf(settings).value;
    if (data !== null && file !== "-") requireOther(file, data);
    const backup = await openRestorable(await toSource(context, file), keys);
    try {
      if (data === null) await check(context, settings, backup);
      else await restore(context, settings, { backup, data, file }, options);
    } finally {
      backup.close();
    }
  });
}

/** Opens the file once, so a replaced file is not read. */
async function toSource({ stdin }: CliContext, file: string): Promise<BackupSource> {
  const { openBackupFile } = await import("../../../store/backups/chunks.ts");
  if (file !== "-") return openBackupFile(file);
  if (stdin.isTTY) throw failure("usage", "Standard input is a terminal. Pipe a backup into it.");
  // Without an encoding the stream has bytes.
  const chunks = stdin as unknown as AsyncIterable<Buffer>;
  return { name: "standard input", chunks, close: () => void stdin.destroy() };
}

async function restore(
  context: CliContext,
  settings: Settings,
  { backup, data, file }: { backup: OpenedBackup; data: string; file: string },
  options: OptionValues,
): Promise<void> {
  const { head } = backup;
  const shown = toShownStore(data);
  const made = toMade(backup);
  const { restoreStore } = await import("../../../store/backups/restore-store.ts");
  if (!isPostgresAddress(data) && existsSync(data)) {
    const question = `Replace the store ${shown} with the backup of ${made}?`;
    if (file === "-" && options.yes !== true) throw failure("confirmation_needed", question);
    await requireTypedName(context, question, basename(data), options);
  }
  const now = systemClock.now();
  const { hold, kept } = await runLongWork(
    context,
    (progress) => restoreStore(backup, { data, env: context.env, now, progress }),
    isPostgresAddress(data) ? "run the same command again to continue" : undefined,
  );
  const { created_on, rows, schema } = head;
  const facts = { created_on, deliveries_held: hold, file, kept, rows, schema, store: shown };
  showFacts(context, settings, facts, [
    `Restored ${shown} from the backup of ${made}: ${toContents(backup)}.`,
    ...(kept === null ? [] : [`The previous store is ${kept}.`]),
    toHoldNote(hold, data),
  ]);
}

/** Creates no store, so it does not ask. */
async function check(context: CliContext, settings: Settings, backup: OpenedBackup): Promise<void> {
  const { checkBackup } = await import("../../../store/backups/restore-store.ts");
  await runLongWork(context, (progress) => checkBackup(backup, progress));
  const { bytes, created_on, program, rows, schema } = backup.head;
  const facts = {
    bytes,
    created_on,
    encrypted: backup.isEncrypted,
    file: backup.name,
    program,
    rows,
    schema,
  };
  showFacts(context, settings, { ...facts, verified: true }, [
    `${backup.name} is valid: the backup of ${toMade(backup)} by dispatch-cli ${program}, ${toContents(backup)}; ${toSize(bytes)} unpacked.`,
  ]);
}

const toMade = ({ head }: OpenedBackup) => `${toCellText(head.created_on, "second")} UTC`;

function toContents({ head }: OpenedBackup): string {
  const { jobs = 0, customers = 0, tenants = 0 } = head.rows;
  const count = (rows: number, noun: string) => `${rows} ${noun}${rows === 1 ? "" : "s"}`;
  return [count(tenants, "tenant"), count(customers, "customer"), count(jobs, "job")].join(", ");
}
