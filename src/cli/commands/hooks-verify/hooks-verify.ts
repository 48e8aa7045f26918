import type { Command } from "commander";
import { exitCodes, failure } from "../../../errors/errors.ts";
import { systemClock } from "../../../runtime/clock.ts";
import type { NamedSecret } from "../../../webhooks/secret.ts";
import type { SignatureVerdict } from "../../../webhooks/verify.ts";
import { addFormOption, collect } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { parseHeaderFile } from "../../input/header-file.ts";
import { parseDuration } from "../../input/option-values.ts";
import { readSecret } from "../../input/read-secret.ts";
import { readBytes, readText } from "../../input/read-text.ts";
import { AlreadyShown } from "../../outcome/already-shown.ts";
import { showFacts } from "../../output/tell.ts";
import { readSettings } from "../../settings.ts";
import { defineBuiltin } from "../builtin.ts";

export function hooksVerifyCommand(context: CliContext): Command {
  const command = defineBuiltin("verify", "read")
    .description(
      "Verify the signatures of a delivery from its headers and body, and explain a failure. Exit code 0 or 9.",
    )
    .requiredOption(
      "--secret-file <file>",
      "file with the webhook's secret; repeat for older secrets, with the receiver's current one first",
      collect,
    )
    .requiredOption("--headers <file>", "file of headers `Name: value`, as written by curl -i or -D")
    .requiredOption("--body <file>", "file with the body, - for standard input")
    .option("--tolerance <duration>", "maximum age of the timestamp, like 30s, 5m or 2d", "5m")
    .option(
      "--accept-legacy",
      "accept a delivery with only x-service-signature, as in the answer to a ping; it has no timestamp, so old deliveries pass",
    );
  addFormOption(command).addHelpText(
    "after",
    "\nExample:\n  dispatch-cli hooks verify --secret-file secret.txt --headers headers.txt --body body.json",
  );
  return command.action(async () => {
    const { acceptLegacy, secretFile, headers: headerFile, body: bodyFile, ...options } = command.opts();
    const settings = readSettings(context, options);
    const toleranceMs = parseDuration(options.tolerance, "--tolerance");
    requireOneInput([...secretFile, headerFile, bodyFile]);
    const secrets: NamedSecret[] = [];
    for (const file of secretFile) secrets.push(await readSecret(context, file));
    const headers = parseHeaderFile(await readText(context, headerFile), headerFile);
    const body = await readBytes(context, bodyFile);
    const { verifyDelivery } = await import("../../../webhooks/verify.ts");
    const { nodeHmac } = await import("../../../webhooks/hmac-node.ts");
    const acceptsLegacy = acceptLegacy === true;
    const caught = { acceptsLegacy, headers, body, secrets, now: systemClock.now(), toleranceMs };
    const report = verifyDelivery(caught, nodeHmac);
    showFacts(context, settings, report, report.signatures.map(toLine));
    if (!report.holds) throw new AlreadyShown(exitCodes.answerIsNo);
  });
}

/** Standard input can be read only once. */
function requireOneInput(files: readonly string[]): void {
  if (files.filter((file) => file === "-").length > 1)
    throw failure("usage", "Only one of the files can be standard input (-).");
}

function toLine({ scheme, holds, message }: SignatureVerdict): string {
  const verdict = holds === null ? "absent" : holds ? "holds" : "FAILS";
  return `${verdict.padEnd(6)}  ${scheme.padEnd("x-service-signature".length)}  ${message}`;
}
