import { Command } from "commander";
import { exitCodes, failure } from "../../../errors/errors.ts";
import { apiVersions, isApiVersion, newestVersion } from "../../../models/api-versions.ts";
import { addFormOption } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { AlreadyShown } from "../../outcome/already-shown.ts";
import { showRecords } from "../../output/show-records.ts";
import { tell } from "../../output/tell.ts";
import { readSettings } from "../../settings.ts";
import { openTarget } from "../../target/target.ts";
import { findAffected } from "./version-check.ts";

/** Says for which tokens and webhooks of a tenant another version changes something. */
export function versionsCheckCommand(context: CliContext): Command {
  const command = new Command("check")
    .description(
      "Say which tokens and webhooks would see which change at another version. A server keeps which operations each token calls at which version, and when last; no bodies. Exits with 9 when somebody would see a change.",
    )
    .option("--to <version>", `the version to compare with: ${apiVersions.join(", ")}`, newestVersion)
    .option("--data <store>", "the store, a file or postgres://… (DISPATCH_DATA)")
    .option("--tenant <id>", "tenant (DISPATCH_TENANT); by default the only one");
  addFormOption(command).addHelpText(
    "after",
    `\nExample:\n  dispatch-cli versions check --to ${newestVersion}`,
  );
  return command.action(async () => {
    const { to, ...options } = command.opts();
    if (!isApiVersion(to))
      throw failure("usage", `--to must be one of ${apiVersions.join(", ")}, not "${to}".`);
    const settings = readSettings(context, options);
    const target = await openTarget(context, settings);
    try {
      if (target.store === null)
        throw failure(
          "usage",
          "`versions check` reads what the store keeps: run it where the store is, with --data.",
        );
      const { actor, service } = target.store;
      const now = service.clock.now();
      const affected = await service.store.read(actor.scope, (store) => findAffected(store, to, now));
      if (settings.form === "table" && affected.length === 0)
        tell(context.stdout, `No token that was used and no webhook would see a change at ${to}.`);
      else
        await showRecords(
          context,
          settings,
          affected.map((entry) => ({ ...entry })),
        );
      if (affected.length > 0) throw new AlreadyShown(exitCodes.answerIsNo);
    } finally {
      await target.caller.close();
    }
  });
}
