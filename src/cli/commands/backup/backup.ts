import type { Command } from "commander";
import { failure } from "../../../errors/errors.ts";
import { systemClock } from "../../../runtime/clock.ts";
import { addFormOption } from "../../common-options.ts";
import type { CliContext, OptionValues } from "../../context.ts";
import { parseDuration } from "../../input/option-values.ts";
import { runLongWork } from "../../outcome/long-work.ts";
import { showFacts } from "../../output/tell.ts";
import { requireYes } from "../../prompts/require-yes.ts";
import { readSettings, type Settings } from "../../settings.ts";
import { addEncryptionOptions, readEncryption } from "../../target/backup-keys.ts";
import { storeOf } from "../../target/target.ts";
import { defineBuiltin } from "../builtin.ts";
import { type BackedUp, toFacts, toSentence } from "./describe-backup.ts";

export function backupCommand(context: CliContext): Command {
  const command = defineBuiltin("backup", "read")
    .description(
      "Back up a store to one file, even while it is served. The file is compressed (`gunzip` restores the SQLite file), then read back and checked in full before it gets its final name. It holds the store's secrets, so only its owner can read it.",
    )
    .argument("[file]", "backup file, - for standard output")
    .option("--data <store>", "store to work on: a file or postgres://… (DISPATCH_DATA)")
    .option("--to <folder>", "back up into this folder with a dated name, and keep the newest")
    .option("--keep <n>", "with --to: number of backups to keep (default 24)", parseKeep)
    .option("--every <duration>", "with --to: back up at this interval, like 1h, until stopped", parseEvery)
    .option("--yes", "replace an existing file without asking");
  addFormOption(addEncryptionOptions(command)).addHelpText("after", `\n${notes}`);
  return command.action(async (file: string | undefined) => {
    const options = command.opts();
    const settings = readSettings(context, options);
    if (settings.url.value !== null) throw failure("usage", notThroughServer);
    requireOnePlace(file, options);
    const data = storeOf(settings).value;
    const store = { data, encryption: await readEncryption(options), env: context.env };
    if (options.to !== undefined) {
      const { backupIntoFolder } = await import("./backup-into-folder.ts");
      return backupIntoFolder(context, settings, store, options);
    }
    if (file === "-") return backupToStdout(context, settings, store);
    return backupToFile(context, settings, store, { file: file ?? "", options });
  });
}

const notes = `Examples:
  dispatch-cli backup dispatch.backup.gz --data dispatch.db
  dispatch-cli backup - | ssh backup.example.com 'cat >dispatch.gz'
  dispatch-cli backup --to /backup --every 1h --keep 24 --recipients-file backup.pub

Restore a backup with \`dispatch-cli restore\`. Check the newest with \`doctor --backups\`.`;

const notThroughServer =
  "`backup` works on a store (--data), not on a server. Run it on the machine of the store: `ssh <machine> dispatch-cli backup - >dispatch.gz`.";

function requireOnePlace(file: string | undefined, { to, every, keep }: OptionValues): void {
  if ((file === undefined) === (to === undefined))
    throw failure("usage", "Name either a backup file or a folder with --to.");
  if (to === undefined && (every !== undefined || keep !== undefined))
    throw failure("usage", "--every and --keep need --to <folder>.");
}

async function backupToFile(
  context: CliContext,
  settings: Settings,
  store: BackedUp,
  { file, options }: { file: string; options: OptionValues },
): Promise<void> {
  const { backupStore, isBackupThere } = await import("../../../store/backups/backup-store.ts");
  if (isBackupThere(file, store.data))
    await requireYes(context, `Replace ${file} with a new backup?`, options);
  const report = await runLongWork(context, (progress) =>
    backupStore({ ...store, now: systemClock.now(), progress }, file),
  );
  showFacts(context, settings, toFacts(store, file, report), [toSentence(store, file, report)]);
}

/** Standard output has the backup, so messages go to standard error. */
async function backupToStdout(context: CliContext, settings: Settings, store: BackedUp): Promise<void> {
  const { openBinaryOutput } = await import("../../output/write-out.ts");
  const output = openBinaryOutput(context, "A backup");
  const { streamBackup } = await import("../../../store/backups/backup-store.ts");
  const report = await runLongWork(context, (progress) =>
    streamBackup({ ...store, now: systemClock.now(), progress }, output),
  );
  const told = { ...context, stdout: context.stderr };
  const sentence = toSentence(store, "standard output", report);
  showFacts(told, settings, toFacts(store, "-", report), [sentence]);
}

function parseKeep(text: string): number {
  const count = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (count >= 1) return count;
  throw failure("usage", `--keep must be a number from 1 to 99999, not "${text}".`);
}

/** Names of backups have seconds. */
const everyMsMin = 1000;

function parseEvery(text: string): number {
  const ms = parseDuration(text, "--every");
  if (ms >= everyMsMin) return ms;
  throw failure("usage", `--every must be 1s or longer, not "${text}".`);
}
