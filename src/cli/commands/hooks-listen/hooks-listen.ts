import type { Command } from "commander";
import { addFormOption, addTargetOptions, collect, versionOption } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { useTarget } from "../../target/use-target.ts";
import { defineBuiltin } from "../builtin.ts";
import { listenAtTarget } from "./listen-at-target.ts";
import { parseListeningOptions } from "./listening-options.ts";

export function hooksListenCommand(context: CliContext): Command {
  const command = defineBuiltin("listen", "read")
    .description(
      "Show events live and forward them, signed like webhook deliveries, to your receiver. Nothing is stored at the target. An event that the receiver does not accept is tried six times in about 18 s.",
    )
    .option(
      "--events <kinds>",
      "Customer, CustomerLocation, Job, Truck, Ping, or actions like Job:completed, separated by commas; default: all except Ping",
    )
    .option("--forward-to <url>", "send each event to this URL")
    .option("--secret-file <file>", "file with the signing secret; default: a new one, which is shown")
    .option("--name <name>", "save the position under this name, and resume there on the next start")
    .option("--from-start", "start with the oldest stored event instead of the next one")
    .option("--for <duration>", "end after this time, like 90s or 5m")
    .option("--expect <event>", "end once this event was accepted, like Job:completed; repeatable", collect)
    .option("--retry-for <duration>", "retry for this long when the target is unreachable", "30s")
    .option("--inject <faults>", "simulate faults: slow=2s,fail=20%,duplicate=5%,reorder")
    .option("-v, --verbose", "show headers and body too")
    .addOption(versionOption("version of the bodies (default 2019/02/08)"));
  addFormOption(addTargetOptions(command)).addHelpText("after", notes);
  return command.action(async () => {
    const options = command.opts();
    const listeningOptions = await parseListeningOptions(context, options);
    return useTarget(
      context,
      options,
      (target, settings) => listenAtTarget(context, settings, target, listeningOptions),
      { hasPatience: true },
    );
  });
}

const notes = `
With --expect, the exit code is 0 when all expected events arrived, and 9 when
--for ended first. It is also 9 if all attempts to forward an event failed, and 8
if the target stays unreachable. Events of one record arrive in order, and a
failed event does not delay other records. With --name no event is lost, but an
event can arrive twice after a crash or after a failed event. A second listener
with the same name takes over, and the first one exits with 6.

Example:
  dispatch-cli hooks listen --events Job --forward-to http://localhost:3000/hook --for 5m`;
