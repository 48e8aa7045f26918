import { randomUUID } from "node:crypto";
import { type Command, Option } from "commander";
import { exitCodes, failure } from "../../../errors/errors.ts";
import { findUrlProblem } from "../../../models/http-url.ts";
import { systemClock } from "../../../runtime/clock.ts";
import { programVersion } from "../../../runtime/program-version.ts";
import type { RuleVerdict } from "../../../webhooks/certify.ts";
import type { CliContext } from "../../context.ts";
import { readSecret } from "../../input/read-secret.ts";
import { AlreadyShown } from "../../outcome/already-shown.ts";
import { showFacts } from "../../output/tell.ts";
import { readSettings } from "../../settings.ts";
import { defineBuiltin } from "../builtin.ts";

export function hooksCertifyCommand(context: CliContext): Command {
  const command = defineBuiltin("certify", "write")
    .description(
      "Test a receiver: send pings with valid and invalid signatures, duplicates, late and slow ones, and a retry after a failure. Reports each rule. Exit code 0 or 9.",
    )
    .argument("<url>", "URL of the receiver")
    .requiredOption("--secret-file <file>", "file with the receiver's secret, - for standard input")
    .option(
      "--accept-legacy",
      "accept a receiver that checks only x-service-signature; it has no timestamp, so old deliveries can be replayed",
    )
    .addOption(new Option("-o, --output <form>", "table, json or junit (DISPATCH_OUTPUT)"))
    .addHelpText(
      "after",
      "\nExample:\n  dispatch-cli hooks certify http://localhost:3000/hook --secret-file secret.txt",
    );
  return command.action(async (url: string) => {
    const { acceptLegacy, output, secretFile, ...options } = command.opts();
    // Only this command has this format.
    const isJunit = output === "junit";
    const settings = readSettings(context, isJunit ? options : { ...options, output });
    const problem = findUrlProblem(url);
    if (problem !== null) throw failure("usage", `The URL ${problem}.`);
    const secret = (await readSecret(context, secretFile)).text;
    const { certify } = await import("../../../webhooks/certify.ts");
    const { createSender } = await import("../../../webhooks/send.ts");
    const sender = createSender({
      allowPrivateAddresses: true,
      userAgent: `dispatch-cli/${programVersion}`,
    });
    const acceptsLegacy = acceptLegacy === true;
    const receiver = { acceptsLegacy, secret, url };
    const rules = await certify({ ...receiver, clock: systemClock, sender, makeUuid: randomUUID });
    await sender.close();
    const holds = rules.every((rule) => rule.holds);
    if (isJunit) context.stdout.write(toJunit("hooks certify", url, rules.map(toJunitCase)));
    else showFacts(context, settings, { holds, rules, url }, toLines(rules));
    if (!holds) throw new AlreadyShown(exitCodes.answerIsNo);
  });
}

const toJunitCase = ({ rule, holds, duration_ms, message }: RuleVerdict) => ({
  name: rule,
  durationMs: duration_ms,
  failure: holds ? null : message,
});

function toLines(rules: readonly RuleVerdict[]): string[] {
  const width = Math.max(...rules.map(({ rule }) => rule.length));
  return rules.map(
    ({ rule, holds, message }) => `${holds ? "yes" : "NO "}  ${rule.padEnd(width)}  ${message}`,
  );
}

export interface JunitCase {
  name: string;
  durationMs: number;
  failure: string | null;
}

/** One suite, for continuous integration. */
export function toJunit(suite: string, of: string, cases: readonly JunitCase[]): string {
  const failures = cases.filter(({ failure }) => failure !== null).length;
  const totalMs = cases.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const counts = `tests="${cases.length}" failures="${failures}" errors="0" time="${toSeconds(totalMs)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escapeXml(suite)}" ${counts}>`,
    `  <testsuite name="${escapeXml(of)}" ${counts} skipped="0">`,
    ...cases.map((one) => toCase(suite, one)),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function toCase(suite: string, { name, durationMs, failure }: JunitCase): string {
  const head = `    <testcase classname="${escapeXml(suite)}" name="${escapeXml(name)}" time="${toSeconds(durationMs)}"`;
  return failure === null ? `${head}/>` : `${head}><failure message="${escapeXml(failure)}"/></testcase>`;
}

const toSeconds = (ms: number) => (ms / 1000).toFixed(3);

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

/** Characters outside of XML 1.0 become U+FFFD. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, "\u{FFFD}")
    .replace(/[&<>"'\t\n\r]/g, (char) => entities[char] ?? char);
}
