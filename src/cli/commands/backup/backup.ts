import { Command } from "commander";
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
import { type BackedUp, toFacts, toSentence } from "./describe-backup.ts";

/** Backs a store up: into one file, into a stream, or into a folder again and again. */
export function backupCommand(context: CliContext): Command {
  const command = new Command("backup")
    .description(
      "Back a store up into one file, also while it is served and written to. The file is packed (gzip; `gunzip` gives the SQLite file), read again, restored into a scratch store and checked in full there; only then it gets its name. It holds the store's secrets: it is for its owner only.",
    )
    .argument("[file]", "the backup to make, - for standard output")
    .option("--data <store>", "the store, a file or postgres://… (DISPATCH_DATA)")
    .option("--to <folder>", "make a backup in this folder, named by its time, and keep the newest")
    .option("--keep <n>", "with --to: how many backups are kept (default 24)", parseKeep)
    .option("--every <duration>", "with --to: make one so often, like 1h, until asked to end", parseEvery)
    .option("--yes", "replace a file of that name without asking");
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

\`dispatch-cli restore\` makes a store of it, \`doctor --backups\` says how old the newest is.`;

const notThroughServer =
  "`backup` works on a store (--data), where the store is: log in there, or have it sent: `ssh <machine> dispatch-cli backup - >dispatch.gz`.";

function requireOnePlace(file: string | undefined, { to, every, keep }: OptionValues): void {
  if ((file === undefined) === (to === undefined))
    throw failure("usage", "Name the backup's file, or a folder with --to; one of them.");
  if (to === undefined && (every !== undefined || keep !== undefined))
    throw failure("usage", "--every and --keep belong to --to <folder>.");
}

async function backupToFile(
  context: CliContext,
  settings: Settings,
  store: BackedUp,
  { file, options }: { file: string; options: OptionValues },
): Promise<void> {
  const { backupStore, isBackupThere } = await import("../../../store/backups/backup-store.ts");
  if (isBackupThere(file, store.data))
    await requireYes(context, `Replace the file ${file} by a new backup?`, options);
  const report = await runLongWork(context, (progress) =>
    backupStore({ ...store, now: systemClock.now(), progress }, file),
  );
  showFacts(context, settings, toFacts(store, file, report), [toSentence(store, file, report)]);
}

/** The bytes go to standard output, so all that is told goes to standard error. */
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

/** Backups are named by the second. */
const everyMsMin = 1000;

function parseEvery(text: string): number {
  const ms = parseDuration(text, "--every");
  if (ms >= everyMsMin) return ms;
  throw failure("usage", `--every must be 1s or longer, not "${text}".`);
}
