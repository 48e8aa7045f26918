import { pipeline } from "node:stream/promises";
import { CsvError, parse } from "csv-parse";
import { malformed, type Row, rowBytesMax } from "./row-file.ts";

/** The most frequent of comma, semicolon, and tab in the header. */
export function detectDelimiter(head: string): string {
  const [first, ...lines] = head
    .trimStart()
    .split(/\r\n|\n|\r/)
    .slice(0, linesLookedAt);
  const found = countDelimiters(first ?? "");
  // A title above the header has none of them.
  const counts = [...found.values()].some((count) => count > 0) ? found : countDelimiters(lines.join("\n"));
  return [...counts].reduce((most, next) => (next[1] > most[1] ? next : most))[0];
}

const linesLookedAt = 20;

function countDelimiters(text: string): Map<string, number> {
  const counts = new Map([",", ";", "\t"].map((delimiter) => [delimiter, 0]));
  let isQuoted = false;
  for (const char of text) {
    if (char === '"') isQuoted = !isQuoted;
    else if (!isQuoted && counts.has(char)) counts.set(char, (counts.get(char) ?? 0) + 1);
  }
  return counts;
}

/**
 * Reads the rows of CSV (RFC 4180), the header first, and skips empty lines. Throws
 * malformed_file for unclosed quotes.
 */
export async function* readCsv(bytes: Buffer, name: string, delimiter: string): AsyncGenerator<Row> {
  const counter = createLineCounter();
  const parser = parse({
    delimiter,
    max_record_size: rowBytesMax,
    // Counts during parsing: rows in the parser's queue are lost when the next one has an error.
    on_record: (cells: string[], { empty_lines }) => [String(counter.next(cells, empty_lines)), ...cells],
    // A file joined from others has several kinds of line breaks.
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    skip_empty_lines: true,
  });
  const fed = pipeline(piecesOf(bytes), parser);
  // The loop below throws errors of the pipeline.
  fed.catch(() => undefined);
  try {
    for await (const [line, ...record] of parser as AsyncIterable<string[]>) {
      if (record.every((cell) => cell === "")) continue;
      yield { line: Number(line), text: JSON.stringify(record), problem: null };
    }
  } catch (error) {
    throw error instanceof CsvError
      ? toMalformed(error, name, counter.next([], Number(error.empty_lines)))
      : error;
  }
}

/** Small pieces leave time for signals between them. */
function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

const pieceBytes = 64 * 1024;

/** Counts line breaks in quotes, and empty lines. */
function createLineCounter() {
  let passed = 0;
  return {
    next(record: readonly string[], emptyLines: number): number {
      const line = 1 + passed + emptyLines;
      passed += 1 + record.reduce((count, cell) => count + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0);
      return line;
    },
  };
}

function toMalformed(error: CsvError, name: string, line: number) {
  const row = `the row that begins on line ${line}`;
  switch (error.code) {
    case "CSV_QUOTE_NOT_CLOSED":
      return malformed(name, `a quote in ${row} is never closed.`, error);
    case "CSV_MAX_RECORD_SIZE":
      return malformed(name, `${row} is longer than 1 MiB; a quote may not be closed.`, error);
    default:
      return malformed(
        name,
        `${row} has a quote where none can be: put the whole cell into quotes, and write each quote inside of it twice.`,
        error,
      );
  }
}
