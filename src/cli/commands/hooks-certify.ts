import { randomUUID } from "node:crypto";
import { Command } from "commander";
import { systemClock } from "../../clock.ts";
import { exitCodes, failure } from "../../errors.ts";
import { findUrlProblem } from "../../models/http-url.ts";
import { programVersion } from "../../program-version.ts";
import { AlreadyShown } from "../already-shown.ts";
import { addFormOption } from "../common-options.ts";
import { readSecret } from "../read-secret.ts";
import { readSettings } from "../settings.ts";
import { showFacts } from "../show-facts.ts";
import type { World } from "../world.ts";

/** Judges a receiver by what it does with good and bad deliveries. Needs no target. */
export function hooksCertifyCommand(world: World): Command {
  const command = new Command("certify")
    .description(
      "Judge a receiver: send it pings with good and bad signatures, twice, late and stale, and say rule by rule whether it did right. Exit code 0 or 9.",
    )
    .argument("<url>", "address of the receiver")
    .requiredOption(
      "--secret-file <file>",
      "file that holds the secret that the receiver has, - for standard input",
    );
  addFormOption(command).addHelpText(
    "after",
    "\nExample:\n  dispatch-cli hooks certify http://localhost:3000/hook --secret-file secret.txt",
  );
  return command.action(async (url: string) => {
    const { secretFile, ...options } = command.opts();
    const settings = readSettings(world, options);
    const problem = findUrlProblem(url);
    if (problem !== null) throw failure("usage", `The URL ${problem}.`);
    const secret = (await readSecret(world, secretFile)).text;
    const { certify } = await import("../../webhooks/certify.ts");
    const { createSender } = await import("../../webhooks/send.ts");
    const sender = createSender({
      allowPrivateAddresses: true,
      userAgent: `dispatch-cli/${programVersion}`,
    });
    const rules = await certify({ url, secret, now: systemClock.now(), sender, makeUuid: randomUUID });
    await sender.close();
    const holds = rules.every((rule) => rule.holds);
    const width = Math.max(...rules.map(({ rule }) => rule.length));
    const lines = rules.map(
      ({ rule, holds, message }) => `${holds ? "yes" : "NO "}  ${rule.padEnd(width)}  ${message}`,
    );
    showFacts(world, settings, { holds, rules, url }, lines);
    if (!holds) throw new AlreadyShown(exitCodes.answerIsNo);
  });
}
