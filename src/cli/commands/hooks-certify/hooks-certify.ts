import { randomUUID } from "node:crypto";
import { Command, Option } from "commander";
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

/** Judges a receiver by what it does with good and bad deliveries. Needs no target. */
export function hooksCertifyCommand(context: CliContext): Command {
  const command = new Command("certify")
    .description(
      "Judge a receiver: send it pings with good and bad signatures, twice, late, slowly, stale and again after a failure, and say rule by rule whether it did right. Exit code 0 or 9.",
    )
    .argument("<url>", "address of the receiver")
    .requiredOption(
      "--secret-file <file>",
      "file that holds the secret that the receiver has, - for standard input",
    )
    .option(
      "--accept-legacy",
      "let it take x-service-signature alone; that has no time in it, so an old delivery can be sent again",
    )
    .addOption(new Option("-o, --output <form>", "table, json or junit (DISPATCH_OUTPUT)"))
    .addHelpText(
      "after",
      "\nExample:\n  dispatch-cli hooks certify http://localhost:3000/hook --secret-file secret.txt",
    );
  return command.action(async (url: string) => {
    const { acceptLegacy, output, secretFile, ...options } = command.opts();
    // A form of this command alone.
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

/** What a test report says of one check. */
export interface JunitCase {
  name: string;
  durationMs: number;
  /** Why it failed; null when it did not. */
  failure: string | null;
}

/** Writes a JUnit report of one suite, as continuous integration reads it. */
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

/** Text as an attribute holds it; what XML 1.0 has no place for becomes U+FFFD. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, "\u{FFFD}")
    .replace(/[&<>"'\t\n\r]/g, (char) => entities[char] ?? char);
}
