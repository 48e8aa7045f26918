import { randomUUID } from "node:crypto";
import { type Command, Option } from "commander";
import { exitCodes, failure } from "../../../errors/errors.ts";
import { isPostgresAddress } from "../../../store/postgres/address.ts";
import { addFormOption, asOwn } from "../../common-options.ts";
import type { CliContext, OptionValues } from "../../context.ts";
import { AlreadyShown } from "../../outcome/already-shown.ts";
import { createProgressLine } from "../../output/progress-line.ts";
import { showFacts } from "../../output/tell.ts";
import type { Program } from "../../program.ts";
import { requireYes } from "../../prompts/require-yes.ts";
import { readSettings } from "../../settings.ts";
import { defineBuiltin } from "../builtin.ts";
import type { Suite } from "./compare.ts";
import { createRunner, type Side } from "./run-steps.ts";

export function conformanceCommand(context: CliContext, program: Program): Command {
  const command = defineBuiltin("conformance", "dangerous")
    .description(
      "Run the same commands on a file, a PostgreSQL database, and servers, and compare their output and exit codes. It removes the file and the server that it creates. A tenant that it creates in a database, and a location with records on your server, stay. Exit code 9 if anything differs.",
    )
    .option("--postgres <address>", "compare a PostgreSQL database too (DISPATCH_TEST_POSTGRES)")
    .addOption(
      asOwn(
        new Option(
          "--url <address>",
          "compare this server too; its token comes from DISPATCH_TOKEN or --token-file",
        ),
      ),
    )
    .addOption(
      asOwn(
        new Option(
          "--token-file <file>",
          "file with the server's token, of a user who is Admin and Dispatcher",
        ),
      ),
    )
    .addOption(asOwn(new Option("--tenant <id>", "tenant on the server; default: the only one")))
    .option("--yes", "do not ask before it creates records on the server");
  addFormOption(command).addHelpText("after", "\nExample:\n  dispatch-cli conformance");
  return command.action(async () => {
    const options = command.opts();
    const settings = readSettings(context, { output: options.output });
    const postgres = toPostgres(context, options);
    const served = await toServed(context, options);
    const { openSides } = await import("./sides.ts");
    const { compareSides } = await import("./compare.ts");
    const runWords = createRunner(context, program);
    const { sides, remove } = await openSides(context, runWords, postgres, served);
    const progress = createProgressLine(context);
    const name = `conformance-${randomUUID().slice(0, 8)}`;
    const suite = await compareSides(runWords, sides, name, ({ name: side }, done, total) =>
      progress.show(`${side}: command ${done} of ${total}`),
    ).finally(async () => {
      progress.end();
      await remove();
    });
    showFacts(context, settings, suite, toSentences(suite));
    if (suite.comparisons.some(({ differences }) => differences.length > 0))
      throw new AlreadyShown(exitCodes.answerIsNo);
  });
}

function toPostgres({ env }: CliContext, options: OptionValues): string | null {
  const address = options.postgres ?? env.DISPATCH_TEST_POSTGRES;
  if (typeof address !== "string" || address === "") return null;
  if (isPostgresAddress(address)) return address;
  throw failure("usage", `--postgres must be an address that begins with postgres://, not "${address}".`);
}

/** The user names and confirms this server. */
async function toServed(
  context: CliContext,
  { url, tokenFile, tenant, yes }: OptionValues,
): Promise<Side | null> {
  if (typeof url !== "string") return null;
  if (tokenFile === "-")
    throw failure("usage", "The suite reads the token many times: from a file, not from -.");
  const question = `Create a location with customers, trucks, and jobs at ${url}, and leave them there?`;
  await requireYes(context, question, { yes });
  const named = { "--tenant": tenant, "--token-file": tokenFile, "--url": url };
  const words = Object.entries(named).filter(([, value]) => typeof value === "string");
  const token = context.env.DISPATCH_TOKEN;
  return {
    env: token === undefined ? {} : { DISPATCH_TOKEN: token },
    name: "your server",
    options: words.flatMap(([option, value]) => [option, String(value)]),
    target: url,
  };
}

function toSentences({ commands, comparisons }: Suite): string[] {
  return comparisons.flatMap(({ side, target, differences }) => {
    const outcome = differences.length === 0 ? "all as expected" : `${differences.length} differences`;
    return [
      `${side} (${target}): ${commands} commands, ${outcome}.`,
      ...differences.flatMap(({ command, in: part, expected, found }) => [
        `  ${command}`,
        `    ${part}: ${expected}`,
        `    here:${" ".repeat(Math.max(1, part.length - 4))}${found}`,
      ]),
    ];
  });
}
