import { Command } from "commander";
import { addFormOption, addTargetOptions, versionOption } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { readSettings } from "../../settings.ts";
import { openTarget } from "../../target/target.ts";
import { listenAtTarget } from "./listen-at-target.ts";
import { parseListeningOptions } from "./listening-options.ts";

/** Shows events as they come, and forwards them, signed, to a local receiver. */
export function hooksListenCommand(context: CliContext): Command {
  const command = new Command("listen")
    .description(
      "Show events as they come and forward them, signed like a webhook's deliveries, to a receiver of yours. Nothing is stored at the target. An event that is not taken is tried six times in about 18 s.",
    )
    .option(
      "--events <kinds>",
      "Customer, CustomerLocation, Job, Truck, Ping, or actions like Job:completed, by commas; by default all but Ping",
    )
    .option("--forward-to <url>", "send each event there")
    .option(
      "--secret-file <file>",
      "file that holds the secret to sign with; by default one is made and shown",
    )
    .option("--name <name>", "keep by this name how far it came: what happens while it is off comes then")
    .option("--from-start", "begin with the oldest event that is kept instead of the next")
    .option("--for <duration>", "end after this time, like 90s or 5m")
    .option("--expect <event>", "end once this came and was taken, like Job:completed; repeatable", collect)
    .option("--retry-for <duration>", "retry for this long when the target is away", "30s")
    .option("--inject <faults>", "go wrong on purpose: slow=2s,fail=20%,duplicate=5%,reorder")
    .option("-v, --verbose", "show headers and body too")
    .addOption(versionOption("version of the bodies (default 2019/02/08)"));
  addFormOption(addTargetOptions(command)).addHelpText("after", notes);
  return command.action(async () => {
    const options = command.opts();
    const settings = readSettings(context, options);
    const listeningOptions = await parseListeningOptions(context, options);
    const target = await openTarget(context, settings, { hasPatience: true });
    try {
      await listenAtTarget(context, settings, target, listeningOptions);
    } finally {
      await target.close();
    }
  });
}

const notes = `
With --expect the exit code is 0 when all came, 9 when --for ended before. It is 9
too when an event was given up that the receiver did not take. It is 8
when the target goes away and stays away. Events of a record come in their order; one
that fails holds back no other record. With --name an event may come twice, after a
crash or behind one that was not taken, never not at all; a listener that begins with the name of one that runs
takes over, and the other ends with 6.

Example:
  dispatch-cli hooks listen --events Job --forward-to http://localhost:3000/hook --for 5m`;

const collect = (text: string, texts: readonly string[] | undefined) => [...(texts ?? []), text];
