import { Command } from "commander";
import { exitCodes, failure } from "../../../errors/errors.ts";
import { systemClock } from "../../../runtime/clock.ts";
import type { ReadDepth } from "../../../store/health/file-facts.ts";
import { isPostgresAddress, toShownStore } from "../../../store/postgres/address.ts";
import { addFormOption, addInsecureOption } from "../../common-options.ts";
import { type CliContext, showsColour } from "../../context.ts";
import { type Finding, judgeAll } from "../../doctor/finding.ts";
import { parseDuration } from "../../input/option-values.ts";
import { AlreadyShown } from "../../outcome/already-shown.ts";
import { loadPaint } from "../../output/screen.ts";
import { showFacts } from "../../output/show-facts.ts";
import { toVisible } from "../../output/text.ts";
import { configFolder } from "../../profiles/config-folder.ts";
import { readSettings, type Settings } from "../../settings.ts";
import { readSecretKeys } from "../../target/read-secret-keys.ts";
import { readToken } from "../../target/read-token.ts";
import { storeOf } from "../../target/target.ts";

/** Looks for what is wrong with a store or a server, and says how to mend it. */
export function doctorCommand(context: CliContext): Command {
  const command = new Command("doctor")
    .description(
      "Look for what is wrong with a store, all its tenants, or with a server, and say how to mend it. It changes nothing. Exit code 0, or 9 when something is bad.",
    )
    .optionsGroup("Target:")
    .option("--data <store>", "look at this store, a file or postgres://… (DISPATCH_DATA)")
    .option("--url <address>", "look at this server from outside (DISPATCH_URL)")
    .option("--token-file <file>", "file that holds the server's token, - for standard input")
    .option(
      "--backups <folder>",
      "look at this folder of backups: how old the newest is, and whether it is whole",
    );
  addInsecureOption(command)
    .option("--secret-key-file <file>", "file that holds the key of the store's encrypted secrets")
    .optionsGroup("Options:")
    .option("--full", "read indexes and references of a file too; about 15 s a gigabyte in place of 5")
    .option("--quick", "read no more of a file than a few rows; it then finds no damaged pages")
    .option(
      "--max-age <duration>",
      "with --backups: how old the newest may be (default twice its --every, else 25h)",
      (text: string) => parseDuration(text, "--max-age"),
    );
  addFormOption(command).addHelpText(
    "after",
    "\nExamples:\n  dispatch-cli doctor --data dispatch.db\n  dispatch-cli doctor --backups /backup",
  );
  return command.action(async () => {
    const options = command.opts();
    const settings = readSettings(context, options);
    if (options.full && options.quick) throw failure("usage", "Name --full or --quick, not both.");
    const depth = options.full ? "full" : options.quick ? "quick" : "pages";
    const isOfBackups = options.backups !== undefined;
    if (options.maxAge !== undefined && !isOfBackups)
      throw failure("usage", "--max-age belongs to --backups.");
    const findings = isOfBackups
      ? await diagnoseBackups(options.backups, depth, options.maxAge ?? null)
      : await diagnose(context, settings, depth);
    const status = toStatus(findings);
    const target = options.backups ?? settings.url.value ?? toShownStore(storeOf(settings).value);
    const facts = { findings: findings.map(inOrder), status, target };
    showFacts(context, settings, facts, { drawn: await toLines(context, findings, target) });
    if (status === "bad") throw new AlreadyShown(exitCodes.answerIsNo);
  });
}

async function diagnoseBackups(folder: string, depth: ReadDepth, maxAgeMs: number | null) {
  const { readBackupFacts } = await import("../../../store/health/backup-facts.ts");
  const { backupChecks } = await import("../../doctor/backup-checks.ts");
  const facts = await readBackupFacts(folder, depth);
  return judgeAll(backupChecks, { facts, maxAgeMs, now: systemClock.now() });
}

async function diagnose(context: CliContext, settings: Settings, depth: ReadDepth): Promise<Finding[]> {
  const findings = await diagnoseTarget(context, settings, depth);
  const { diagnoseSettings } = await import("../../doctor/diagnose-settings.ts");
  const tokenFile = settings.tokenFile.value;
  const named = tokenFile === null || tokenFile === "-" ? [] : [tokenFile];
  return [...findings, diagnoseSettings(configFolder(context), named)];
}

async function diagnoseTarget(context: CliContext, settings: Settings, depth: ReadDepth): Promise<Finding[]> {
  const url = settings.url.value;
  if (url !== null) {
    const { parseBaseUrl } = await import("../../target/connect.ts");
    const { diagnoseServer } = await import("../../doctor/diagnose-server.ts");
    const hasToken = settings.tokenFile.value !== null || (context.env.DISPATCH_TOKEN ?? "") !== "";
    return diagnoseServer(
      parseBaseUrl(url),
      hasToken ? await readToken(context, settings) : null,
      systemClock,
    );
  }
  const data = storeOf(settings).value;
  const { diagnoseFile, diagnosePostgres } = await import("../../doctor/diagnose-store.ts");
  const now = systemClock.now();
  const keys = readSecretKeys(context, settings);
  return isPostgresAddress(data)
    ? diagnosePostgres(data, now, depth, keys, context.env)
    : diagnoseFile(data, now, depth, keys);
}

function toStatus(findings: readonly Finding[]): Finding["status"] {
  const isThere = (status: Finding["status"]) => findings.some((finding) => finding.status === status);
  return isThere("bad") ? "bad" : isThere("warn") ? "warn" : "ok";
}

const inOrder = ({ check, detail, fix, status }: Finding) => ({ check, detail, fix, status });

async function toLines(context: CliContext, findings: readonly Finding[], target: string): Promise<string[]> {
  const paint = await loadPaint(showsColour(context.stdout, context.env, false));
  const words = { ok: paint.faint("ok  "), warn: paint.bold("warn"), bad: paint.alarm("BAD ") };
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.flatMap(({ check, detail, fix, status }) => [
    `${words[status]}  ${check.padEnd(width)}  ${toVisible(detail)}`,
    ...(fix === null ? [] : [`      ${paint.faint("fix:")} ${toVisible(fix)}`]),
  ]);
  const count = (status: Finding["status"]) => findings.filter((finding) => finding.status === status).length;
  const [worst, mild] = [count("bad"), count("warn")];
  const sum = worst + mild === 0 ? "all is well" : `${worst} bad, ${mild} to look at`;
  return [...lines, `${toVisible(target)}: ${sum}.`];
}
