import type { Command } from "commander";
import { failure } from "../../../errors/errors.ts";
import type { ImportNoun } from "../../../sync/rows/row-kind.ts";
import type { CliContext } from "../../context.ts";
import { tell } from "../../output/tell.ts";
import { writeOut } from "../../output/write-out.ts";
import { requireYes } from "../../prompts/require-yes.ts";
import { defineBuiltin } from "../builtin.ts";

/** CSV to standard output or a file, or a workbook. */
export function importTemplateCommand(context: CliContext): Command {
  return defineBuiltin("template", "read")
    .summary("write an example of a sheet to fill in")
    .description("Write an example of a sheet that `import` accepts, in the words of an office.")
    .argument("<noun>", `kind of the rows: ${Object.keys(templates).join(", ")}`)
    .option("--out <file>", "a .csv or .xlsx file (default: CSV on standard output)")
    .option("--yes", "replace an existing file")
    .addHelpText("after", "\nExample:\n  dispatch-cli import template jobs --out jobs.xlsx")
    .action(async (noun: string, { out, yes }: { out?: string; yes?: boolean }) => {
      const rows = Object.entries(templates).find(([name]) => name === noun)?.[1];
      if (!rows)
        throw failure(
          "usage",
          `No template exists for "${noun}"; there are ${Object.keys(templates).join(", ")}.`,
        );
      const csv = rows.map((row) => `${row.map(quote).join(",")}\r\n`).join("");
      if (out === undefined || out === "-") {
        await writeOut(context.stdout, csv);
        return;
      }
      const ending = /\.(csv|xlsx)$/i.exec(out)?.[1]?.toLowerCase();
      if (ending === undefined) throw failure("usage", `--out must end in .csv or .xlsx, not "${out}".`);
      const [{ existsSync }, { writePrivately }] = await Promise.all([
        import("node:fs"),
        import("../../../runtime/private-file.ts"),
      ]);
      if (existsSync(out))
        await requireYes(context, `${out} already exists. Replace it with the template?`, { yes });
      if (ending === "csv") writePrivately(out, csv);
      else {
        const { toWorkbook } = await import("../../output/to-workbook.ts");
        writePrivately(out, await toWorkbook(noun, rows));
      }
      tell(context.stderr, `Written to ${out}; \`import ${noun} ${out} --plan\` shows what would be done.`);
    });
}

const quote = (cell: string) => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

const templates: Record<ImportNoun, readonly (readonly string[])[]> = {
  customers: [
    "Acct #|Customer|Address|City|State|ZIP|Country|Latitude|Longitude|Contact|Phone|Email|Notes".split("|"),
    "1001|Potomac Roofing|1745 T Street SE|Washington|DC|20020|US|38.867|-76.979|Dana|202-555-0100|dana@example.com|Gate code 7".split(
      "|",
    ),
  ],
  jobs: [
    "Job #|Acct #|Customer|Address|Type|Job Date|Time|Truck|Notes".split("|"),
    "J-1001|1001|Potomac Roofing|1745 T Street SE|Drop-off|tomorrow|8-10am|Truck 7|Call ahead".split("|"),
  ],
  trucks: [
    ["Truck", "Type", "Weight", "Driver", "Notes"],
    ["Truck 7", "Roll-off", "32000", "", ""],
  ],
  drivers: [
    ["Driver", "Phone", "Email", "License #"],
    ["Pat Miller", "202-555-0101", "pat@example.com", "D1234567"],
  ],
};
