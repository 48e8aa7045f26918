import { nearestWord } from "../../../errors/nearest.ts";
import { cellsOf, type RowFile } from "../../../sync/rows/row-file.ts";
import type { RowKind } from "../../../sync/rows/row-kind.ts";
import type { CliContext } from "../../context.ts";
import { toVisible } from "../../output/text.ts";

/** What is asked on a terminal about a sheet. */
export interface SheetQuestions {
  /** Whether a line below the first is the header. */
  confirmHeader(line: number, cells: readonly string[]): Promise<boolean>;
  /** Which field a column is; null leaves it out. */
  askColumn(file: RowFile, header: string, index: number, taken: ReadonlySet<string>): Promise<string | null>;
}

/** Opens the questions about a sheet; a column is asked about once. */
export async function openQuestions(context: CliContext, { fields }: RowKind): Promise<SheetQuestions> {
  const { openPrompt } = await import("../../prompts/open-prompt.ts");
  const prompt = openPrompt(context);
  return {
    async confirmHeader(line, cells) {
      const shown = toVisible(cells.slice(0, 4).join(", "));
      const message = `Line ${line} looks like the header (${shown} …). Pass over what stands above it?`;
      const { yes } = await prompt([{ type: "confirm", name: "yes", message, default: true }]);
      return yes;
    },
    async askColumn(file, header, index, taken) {
      const free = fields.map(({ name }) => name).filter((name) => !taken.has(name));
      const nearest = nearestWord(header, free);
      const names = [...(nearest ? [nearest] : []), ...free.filter((name) => name !== nearest)];
      const leaveOut = { name: "leave it out", value: "" };
      const choices = [leaveOut, ...names.map((name) => ({ name, value: name }))];
      const examples = firstValues(file, index);
      const { value } = await prompt([
        {
          type: "search",
          name: "value",
          message: toVisible(
            `Column "${header}"${examples === "" ? "" : ` (${examples})`}: which field is it?`,
          ),
          source: (term: string | undefined) =>
            choices.filter(({ name }) => name.includes((term ?? "").trim().toLowerCase())),
          pageSize: 9,
        },
      ]);
      return value === "" ? null : value;
    },
  };
}

/** The first values of a column, by which a person knows what it is. */
function firstValues(file: RowFile, index: number): string {
  const values = file.rows.slice(0, 50).map((row) => cellsOf(file, row)[index]);
  const texts = new Set(
    values.filter((value) => value !== undefined).map((value) => String(value).slice(0, 24)),
  );
  return [...texts].slice(0, 3).join(", ");
}
