import type { JsonRecord, JsonValue } from "./answer.ts";
import { learnFor, pickFrom, toRecordWriter } from "./format.ts";
import { addCells, describeCut, describeList, layoutRecords, learnColumns } from "./layout-records.ts";
import type { OutputOptions } from "./options.ts";
import { openScreen } from "./screen.ts";
import { continueTable, drawTable, pipedTextMax, type TableLayout } from "./table.ts";
import { joinLines, toVisibleJson, toVisibleLines } from "./text.ts";

export interface RecordStream {
  head: string;
  /** Returns pieces, because one joined text would take more memory. */
  toPieces(records: readonly JsonRecord[]): Promise<readonly string[]>;
  end(count: number): { stdout: string; note: string | null };
}

/** A resumed stream writes no header. json and yaml are one page. A table keeps the widths of its first page. */
export function createRecordStream(options: OutputOptions, isContinued = false): RecordStream {
  if (options.form === "table") return createTableStream(options);
  if (options.form === "yaml") return createYamlStream(options);
  if (options.form === "json") return createJsonStream(options, isContinued);
  const { head, toLine } = toRecordWriter(options.form, options);
  return {
    head,
    async toPieces(records) {
      await learnFor(records, options);
      return records.map(toLine);
    },
    end: () => ({ stdout: "", note: null }),
  };
}

function createJsonStream(options: OutputOptions, isContinued: boolean): RecordStream {
  const { isTerminal } = options;
  const [lineEnd, space] = isTerminal ? ["\n", " "] : ["", ""];
  const indent = (depth: number) => (isTerminal ? "  ".repeat(depth) : "");
  const toMember = (name: string, value: number) => `${lineEnd}${indent(1)}"${name}":${space}${value}`;
  const toEntry = (record: JsonRecord) => {
    const picked = pickFrom(record, options);
    if (!isTerminal) return JSON.stringify(picked);
    return toVisibleJson(JSON.stringify(picked, null, 2)).replace(/^/gm, indent(2));
  };
  let isFirst = !isContinued;
  return {
    head: `{${toMember("current_limit", pageLimitShown)},${toMember("current_page", 1)},${lineEnd}${indent(1)}"results":${space}[`,
    async toPieces(records) {
      await learnFor(records, options);
      const pieces = records.map((record, index) => {
        const separator = isFirst && index === 0 ? "" : ",";
        return `${separator}${lineEnd}${toEntry(record)}`;
      });
      isFirst &&= records.length === 0;
      return pieces;
    },
    end(count) {
      const close = isFirst ? "]" : `${lineEnd}${indent(1)}]`;
      const counts = `${toMember("total_count", count)},${toMember("total_pages", count === 0 ? 0 : 1)}`;
      return { stdout: `${close},${counts}${lineEnd}}\n`, note: null };
    },
  };
}

/** The largest page. The count is known only at the end. */
const pageLimitShown = 1000;

function createYamlStream(options: OutputOptions): RecordStream {
  const { isTerminal } = options;
  let isEmpty = true;
  return {
    head: `current_limit: ${pageLimitShown}\ncurrent_page: 1\nresults:`,
    async toPieces(records) {
      if (records.length === 0) return [];
      const { stringify } = await import("yaml");
      await learnFor(records, options);
      const picked: JsonValue[] = records.map((record) => pickFrom(record, options));
      // Quotes NO: YAML 1.1 reads the country NO as false.
      const text = stringify(picked, { compat: "yaml-1.1", lineWidth: 0 }).replace(/^(?=.)/gm, "  ");
      const start = isEmpty ? "\n" : "";
      isEmpty = false;
      return [start + (isTerminal ? toVisibleLines(text) : text)];
    },
    end: (count) => ({
      stdout: `${isEmpty ? " []\n" : ""}total_count: ${count}\ntotal_pages: ${count === 0 ? 0 : 1}\n`,
      note: null,
    }),
  };
}

function createTableStream(options: OutputOptions): RecordStream {
  let layout: TableLayout | null = null;
  const cut = new Set<string>();
  return {
    head: "",
    async toPieces(records) {
      if (records.length === 0) return [];
      const screen = await openScreen(options);
      if (layout === null) {
        layout = await layoutRecords(records, options, screen);
        for (const heading of layout.cut) cut.add(heading);
        return [joinLines(drawTable(layout, screen, options.tones))];
      }
      const fields = layout.columns.map(({ field }) => field);
      await learnColumns(records, fields, options);
      const more = continueTable(layout, addCells(records, fields, options), screen);
      for (const heading of more.cut) cut.add(heading);
      return [joinLines(drawTable(more, screen, options.tones).slice(-records.length))];
    },
    end: (count) => ({
      stdout: "",
      note:
        options.isTerminal || count === 0
          ? describeList(count, null, layout?.hidden ?? [], options.remark)
          : describeCut([...cut], pipedTextMax, options.remark),
    }),
  };
}
