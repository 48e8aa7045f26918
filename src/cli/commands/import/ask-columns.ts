import { nearestWord } from "../../../errors/nearest.ts";
import { synonymsOf, toPlainName } from "../../../sync/rows/column-synonyms.ts";
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
  /** The country of all addresses; null leaves it out. */
  askCountry(): Promise<string | null>;
  /** What the coordinates of new addresses are taken from, as --coordinates takes it; null leaves them out. */
  askCoordinates(): Promise<string | null>;
}

/** Opens the questions about a sheet; a column is asked about once. */
export async function openQuestions(context: CliContext, { fields, noun }: RowKind): Promise<SheetQuestions> {
  const synonyms = synonymsOf(noun);
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
            choices.filter(({ name }) => {
              const typed = toPlainName(term ?? "");
              return [name, ...(synonyms[name] ?? [])].some((word) => toPlainName(word).includes(typed));
            }),
          pageSize: 9,
        },
      ]);
      return value === "" ? null : value;
    },
    async askCountry() {
      const message = "No column says the country. Its code, like US, for all rows (Enter: leave it out):";
      const { country } = await prompt([{ type: "input", name: "country", message }]);
      return country.trim() === "" ? null : country.trim();
    },
    async askCoordinates() {
      const { source } = await prompt([
        {
          type: "select",
          name: "source",
          message: "No column has coordinates. What stands in for those of new addresses?",
          choices: [
            { name: "the middle of the ZIP, in the US", value: "zip" },
            { name: "the place of the location", value: "location" },
            { name: "nothing: new addresses without any are rejected", value: "" },
          ],
        },
      ]);
      return source === "" ? null : source;
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
