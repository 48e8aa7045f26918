import { isTimestamp } from "../../models/timestamps.ts";
import { tellTimeOf, tellZone, timeCells } from "../presentation/tell-time.ts";
import { plainView, toWords } from "../presentation/view.ts";
import type { JsonRecord, Page } from "./answer.ts";
import { valueAt } from "./fields.ts";
import type { OutputOptions } from "./options.ts";
import type { Screen } from "./screen.ts";
import { fieldsWithValue, layoutTable, type TableLayout, type TableWords } from "./table.ts";
import { isNested, toVisible } from "./text.ts";

export async function layoutRecords(
  records: readonly JsonRecord[],
  options: OutputOptions,
  screen: Screen,
): Promise<TableLayout> {
  const columns = chooseColumns(records, options);
  await learnColumns(records, columns, options);
  const shown = addCells(records, columns, options);
  return layoutTable(shown, columns, screen, toTableWords(records, columns, options));
}

export async function learnColumns(
  records: readonly JsonRecord[],
  columns: readonly string[],
  { learns, nameFields = {}, view }: OutputOptions,
): Promise<void> {
  if (learns && view) {
    const within = learns(records);
    await view.learn(within.records, within.fields);
  }
  await view?.learn(
    records,
    columns.flatMap((column) => nameFields[column] ?? []),
  );
}

/** An empty cell is null. */
export function addCells(
  records: readonly JsonRecord[],
  columns: readonly string[],
  { cells = {}, view = plainView }: Pick<OutputOptions, "cells" | "view">,
): readonly JsonRecord[] {
  const named = Object.entries(cells).filter(([name]) => columns.includes(name));
  if (named.length === 0) return records;
  return records.map((record) => ({
    ...record,
    ...Object.fromEntries(named.map(([name, toText]) => [name, toText(record, view) || null])),
  }));
}

/** The heading of the first time column names the zone. */
function toTableWords(
  records: readonly JsonRecord[],
  columns: readonly string[],
  { fields, view }: OutputOptions,
): TableWords {
  if (!view) return {};
  // Keeps the names that the caller typed in --fields.
  const toHeading = (column: string) =>
    fields ? column : toWords(column.slice(column.lastIndexOf(".") + 1));
  const isTime = (column: string) =>
    timeCells.includes(column) ||
    records.some((record) => {
      const value = valueAt(record, column);
      return typeof value === "string" && isTimestamp(value);
    });
  const first = columns.find(isTime);
  const zone = tellZone(records, view);
  return {
    headings: Object.fromEntries(
      columns.map((column) => [
        column,
        column === first && zone !== null ? `${toHeading(column)} (${zone})` : toHeading(column),
      ]),
    ),
    names: ["customer", "driver", "truck"],
    neverCut: timeCells,
    toTime: (moment, column, record) =>
      tellTimeOf(moment, column.slice(column.lastIndexOf(".") + 1), record, view),
  };
}

// A response of an older version may lack columns.
function chooseColumns(
  records: readonly JsonRecord[],
  { cells = {}, fields, columns, knownFields }: OutputOptions,
): readonly string[] {
  if (fields) return fields;
  const known = columns.filter((column) => knownFields.includes(column) || Object.hasOwn(cells, column));
  return known.length > 0 ? known : fieldsWithValue(records, (value) => !isNested(value));
}

/** The count, a remark, and the columns without space. */
export function describeList(
  shown: number,
  page: Page | null,
  hidden: readonly string[],
  remark: string | null = null,
): string {
  return [describeCount(shown, page), ...(remark === null ? [] : [remark]), ...describeHidden(hidden)].join(
    " · ",
  );
}

/** A note for output that is not a terminal: about cut columns, and any remark; null if there is neither. */
export function describeCut(
  columns: readonly string[],
  textMax: number,
  remark: string | null = null,
): string | null {
  const cut =
    columns.length === 0
      ? null
      : `cut to ${textMax} characters: ${columns.map(toVisible).join(", ")}; -o csv shows them in full`;
  return [remark, cut].filter((part) => part !== null).join(" · ") || null;
}

function describeCount(shown: number, page: Page | null): string {
  const total = page?.totalCount ?? shown;
  if (total === 0) return "no records";
  if (!page || shown === total) return total === 1 ? "1 record" : `${toThousands(total)} records`;
  const place = `page ${toThousands(page.index)} of ${toThousands(page.totalPages)}`;
  const first = (page.index - 1) * page.limit + 1;
  const range = shown === 0 ? "none" : `${toThousands(first)}–${toThousands(first + shown - 1)}`;
  return `showing ${range} of ${toThousands(total)} · ${place}`;
}

const hiddenNamedMax = 3;

function describeHidden(hidden: readonly string[]): string[] {
  if (hidden.length === 0) return [];
  const named = hidden.slice(0, hiddenNamedMax).map(toVisible).join(", ");
  const others = hidden.length - hiddenNamedMax;
  return [`no room for ${named}${others > 0 ? ` and ${others} more` : ""}`];
}

// Intl's first use would take a fifth of Node's start.
function toThousands(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
