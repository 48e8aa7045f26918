import { existsSync } from "node:fs";
import type { Command } from "commander";
import { writeSnapshot } from "../../../sync/snapshots/write-snapshot.ts";
import { addTargetOptions } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { createProgressLine } from "../../output/progress-line.ts";
import { tell } from "../../output/tell.ts";
import { requireYes } from "../../prompts/require-yes.ts";
import { readSettings } from "../../settings.ts";
import { requireWholeSight } from "../../synchronising/require-roles.ts";
import { openTarget } from "../../target/target.ts";
import { defineBuiltin } from "../builtin.ts";
import { writeText } from "./write-text.ts";

export function exportAllCommand(context: CliContext): Command {
  const command = defineBuiltin("all", "read")
    .summary("Write all records of a tenant, for `import all`")
    .description(
      "Write a tenant's records as a snapshot: locations, asset types, materials, dump destinations, drivers, trucks, customers (with addresses, contacts, and their record at each location), assets and jobs (with images and materials), one JSON object per line.",
    )
    .option("--out <file>", "write to this file, - for standard output (default -)")
    .option("--yes", "replace an existing file");
  addTargetOptions(command).addHelpText("after", `\n${notes}`);
  return command.action(async () => {
    const { out = "-", ...options } = command.opts();
    const target = await openTarget(context, readSettings(context, options));
    const progress = createProgressLine(context);
    try {
      await requireWholeSight(target);
      if (out !== "-" && existsSync(out)) await requireYes(context, `${out} exists. Replace it?`, options);
      const { records, leftOut } = await writeText(context, out, (write) =>
        writeSnapshot(target, write, progress.show),
      );
      progress.end();
      const total = Object.values(records).reduce((sum, count) => sum + count, 0);
      for (const problem of leftOut.slice(0, shownMax)) tell(context.stderr, `left out: ${problem}`);
      if (leftOut.length > shownMax) tell(context.stderr, `left out: ${leftOut.length - shownMax} more`);
      const place = out === "-" ? "" : ` to ${out}`;
      tell(
        context.stderr,
        `${total} records of tenant ${target.tenant.id} (${target.tenant.name}) written${place}`,
      );
    } finally {
      progress.end();
      await target.close();
    }
  });
}

const shownMax = 10;

const notes = `The file has its own IDs, from 1 for each kind of record, so the same records
always give the same file. It leaves out users, tokens, webhooks and their
secrets, chats, history, additional items of jobs, and who created or completed a
record. \`store copy\` copies a whole store with all of these.

Example:
  dispatch-cli export all --tenant 1 --out acme.ndjson`;
