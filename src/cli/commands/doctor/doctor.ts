import type { Command } from "commander";
import { exitCodes, failure } from "../../../errors/errors.ts";
import { systemClock } from "../../../runtime/clock.ts";
import type { ReadDepth } from "../../../store/health/file-facts.ts";
import { isPostgresAddress, toShownStore } from "../../../store/postgres/address.ts";
import { addFormOption, addInsecureOption } from "../../common-options.ts";
import { type CliContext, showsColor } from "../../context.ts";
import { type Finding, judgeAll } from "../../doctor/finding.ts";
import { parseDuration } from "../../input/option-values.ts";
import { AlreadyShown } from "../../outcome/already-shown.ts";
import { loadPaint } from "../../output/screen.ts";
import { showFacts } from "../../output/tell.ts";
import { toVisible } from "../../output/text.ts";
import { configFolder } from "../../profiles/config-folder.ts";
import { readSettings, type Settings } from "../../settings.ts";
import { readSecretKeys } from "../../target/read-secret-keys.ts";
import { readToken } from "../../target/read-token.ts";
import { storeOf } from "../../target/target.ts";
import { defineBuiltin } from "../builtin.ts";

export function doctorCommand(context: CliContext): Command {
  const command = defineBuiltin("doctor", "read")
    .description(
      "Diagnose problems of a store with all its tenants, of a server, or of a folder of backups, and suggest fixes. It changes nothing. Exit code 0, or 9 if a check fails.",
    )
    .optionsGroup("Target:")
    .option("--data <store>", "check this store, a file or postgres://… (DISPATCH_DATA)")
    .option("--url <address>", "check this server from outside (DISPATCH_URL)")
    .option("--token-file <file>", "file that holds the server's token, - for standard input")
    .option("--backups <folder>", "check this folder of backups: the age and integrity of the newest");
  addInsecureOption(command)
    .option("--secret-key-file <file>", "file with the key of the store's encrypted secrets")
    .optionsGroup("Options:")
    .option("--full", "also check indexes and references of a file; about 15 s per gigabyte instead of 5")
    .option("--quick", "read only a few rows of a file; does not find damaged pages")
    .option(
      "--max-age <duration>",
      "with --backups: maximum age of the newest (default twice its --every, else 25h)",
      (text: string) => parseDuration(text, "--max-age"),
    );
  addFormOption(command).addHelpText(
    "after",
    "\nExamples:\n  dispatch-cli doctor --data dispatch.db\n  dispatch-cli doctor --backups /backup",
  );
  return command.action(async () => {
    const options = command.opts();
    const settings = readSettings(context, options);
    if (options.full && options.quick) throw failure("usage", "Use --full or --quick, not both.");
    const depth = options.full ? "full" : options.quick ? "quick" : "pages";
    const isOfBackups = options.backups !== undefined;
    if (options.maxAge !== undefined && !isOfBackups) throw failure("usage", "--max-age requires --backups.");
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
  const { diagnoseSettings } = await import("../../doctor/file-checks.ts");
  const tokenFile = settings.tokenFile.value;
  const named = tokenFile === null || tokenFile === "-" ? [] : [tokenFile];
  return [...findings, diagnoseSettings(configFolder(context), named)];
}

async function diagnoseTarget(context: CliContext, settings: Settings, depth: ReadDepth): Promise<Finding[]> {
  const url = settings.url.value;
  if (url !== null) {
    const { parseBaseUrl } = await import("../../target/connect.ts");
    const { diagnoseServer } = await import("../../doctor/diagnose-server.ts");
    const hasToken = settings.tokenFile.value !== null || (settings.token.value ?? "") !== "";
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
  const paint = await loadPaint(showsColor(context.stdout, context.env, false));
  const words = { ok: paint.faint("ok  "), warn: paint.bold("warn"), bad: paint.alarm("BAD ") };
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.flatMap(({ check, detail, fix, status }) => [
    `${words[status]}  ${check.padEnd(width)}  ${toVisible(detail)}`,
    ...(fix === null ? [] : [`      ${paint.faint("fix:")} ${toVisible(fix)}`]),
  ]);
  const count = (status: Finding["status"]) => findings.filter((finding) => finding.status === status).length;
  const [worst, mild] = [count("bad"), count("warn")];
  const sum = worst + mild === 0 ? "no problems" : `${worst} bad, ${mild} warnings`;
  return [...lines, `${toVisible(target)}: ${sum}.`];
}
