import { Command, Option } from "commander";
import { failure } from "../../../errors/errors.ts";
import { encodings } from "../../../sync/rows/read-bytes.ts";
import { defaultKeyOf, type ImportNoun, loadRowKind, type RowKind } from "../../../sync/rows/row-kind.ts";
import { addFormOption, addTargetOptions, collect } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { wrapText } from "../../output/fit-text.ts";
import { defineBuiltin } from "../builtin.ts";
import { importAllCommand } from "./import-all.ts";
import { importFile } from "./import-file.ts";
import { importTemplateCommand } from "./import-template.ts";

export async function importCommand(
  context: CliContext,
  isVerbNeeded: (verb: string) => boolean,
): Promise<Command> {
  const command = new Command("import")
    .description(
      "Create and change records by the rows of a file; rows that are already imported change nothing.",
    )
    .helpCommand(false);
  for (const noun of Object.keys(notes) as ImportNoun[]) {
    // Only the help of the named noun lists its columns.
    const rowKind = isVerbNeeded(noun) ? await loadRowKind(noun) : null;
    command.addCommand(toNounCommand(context, noun, rowKind));
  }
  return command.addCommand(importAllCommand(context)).addCommand(importTemplateCommand(context));
}

function toNounCommand(context: CliContext, noun: ImportNoun, rowKind: RowKind | null): Command {
  const command = defineBuiltin(noun, "write")
    .summary(`import ${noun} from XLSX, CSV, ndjson or JSON`)
    .description(
      `Create and update the ${noun} of a location from the rows of a file: an XLSX workbook, CSV with a header, .ndjson, or a JSON list.`,
    )
    .argument("<file>", "the file, - for standard input");
  addSheetOptions(command, noun)
    .optionsGroup("Run:")
    .option("--plan", "check every row, show the plan, and change nothing")
    .option("--yes", "do not ask")
    .addOption(
      new Option("--events <which>", "none: send no webhooks for these changes (stores only)")
        .choices(["all", "none"])
        .default("all"),
    );
  addFormOption(addTargetOptions(command).optionsGroup("Output:")).option(
    "--no-color",
    "turn colors off (NO_COLOR)",
  );
  command.addHelpText("after", helpText(noun, rowKind));
  return command.action(async (file: string) => {
    await importFile(context, rowKind ?? (await loadRowKind(noun)), file, command.opts());
  });
}

function addSheetOptions(command: Command, noun: ImportNoun): Command {
  return command
    .optionsGroup("Input:")
    .option(
      "--location <name>",
      "location of the records, by id or name; default: the location of your settings, or the only one",
    )
    .option(
      "--key <field>",
      `field that identifies records; id for their ids (default ${defaultKeyOf(noun)})`,
    )
    .option("--create-without-key", "create a new record for each row without a key, on every import")
    .option("--sheet <name>", "sheet of a workbook, by name or number (default: the first with rows)")
    .option("--header-row <n>", "line of the header, from 1 (default: detected)", parseLine)
    .option("--map <column=field>", "field of a column; repeatable", collect, [])
    .option("--map-file <file>", "file from --save-map: columns, constants, and the format of the sheet")
    .option("--save-map <file>", "save the columns, the answers, and these options for the next sheet")
    .option(
      "--set <field=value>",
      "value for rows without the field, like country=US; repeatable",
      collect,
      [],
    )
    .option(
      "--coordinates <source>",
      "for new addresses without coordinates: zip (US), location, or a file of postcode,latitude,longitude",
    )
    .option("--ignore-unknown", "ignore columns that match no field")
    .option("--delimiter <character>", "separator of CSV: , ; or tab (default: detected)", parseDelimiter)
    .addOption(
      new Option("--encoding <name>", "encoding of the file, unless its first bytes show it")
        .choices(encodings)
        .default("utf-8"),
    )
    .option("--raw-csv", "in CSV, keep the ' that an export puts before =, +, - and @");
}

function parseDelimiter(text: string): string {
  const delimiter = text === "tab" || text === "\\t" ? "\t" : text;
  if (/^[^"\r\n]$/u.test(delimiter)) return delimiter;
  throw failure("usage", `--delimiter must be one character, or tab, not "${text}".`);
}

function parseLine(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw failure("usage", `--header-row must be the number of a line, from 1, not "${text}".`);
}

function helpText(noun: ImportNoun, rowKind: RowKind | null): string {
  const columns = rowKind ? `\nColumns:\n${toColumnLines(rowKind)}\n` : "";
  return `${columns}
A row matches the record with the same ${defaultKeyOf(noun)}. The import creates
the record if it does not exist, and updates the fields that differ. An empty cell
keeps the stored value; null, in JSON, clears a field. An import never removes
records. It ignores columns that the service sets (id, created_on, …). Rows
without a key, and rows that share a key, are rejected. Rejected rows go to
<file>.rejects.csv (.ndjson, .json) with their errors; the others are applied, and
the exit code is 2. Records that changed after the plan was made are skipped, and
the exit code is 6. After an interruption, run the same command again.
${notes[noun]}
Examples:
  dispatch-cli import ${noun} ${noun}.csv --location 1 --plan
  dispatch-cli import ${noun} ${noun}.csv --location 1 --yes`;
}

const notes: Record<ImportNoun, string> = {
  customers: `
A row holds one address (line_1 …), for billing and shipping unless its columns
say otherwise, and one contact (contact_name …). Or it holds JSON lists in
addresses and contacts. An address is matched by line_1 and postcode, a contact by
its name. If the customer and the row have one each, the row updates it; any other
new one is added.
`,
  jobs: "",
  trucks: "",
  drivers: "",
};

function toColumnLines({ fields }: RowKind): string {
  const lines = wrapText(fields.map(({ name }) => name).join(", "), 76);
  return lines.map((line) => `  ${line}`).join("\n");
}
