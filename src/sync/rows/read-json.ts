import { DispatchError } from "../../errors/errors.ts";
import { parseJsonBody } from "../../models/json-body.ts";
import { malformed, type Row, rowBytesMax } from "./row-file.ts";

/** Reads ndjson, one JSON object a line, in constant memory. Another line becomes a row with a problem. */
export async function* readNdjson(chunks: AsyncIterable<Buffer>, name: string): AsyncGenerator<Row> {
  let line = 0;
  for await (const text of readLines(chunks, name)) {
    line++;
    if (text.trim() !== "") yield toRow(line, text);
  }
}

/** The rows of a JSON list of objects; the list is read as a whole. */
export async function* readJson(chunks: AsyncIterable<Buffer>, name: string): AsyncGenerator<Row> {
  const parts: Buffer[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  const list = parseList(Buffer.concat(parts), name);
  for (const [index, entry] of list.entries()) yield toRow(index + 1, JSON.stringify(entry));
}

function parseList(bytes: Buffer, name: string): unknown[] {
  const hint = "If it has one object a line, call it .ndjson.";
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    const list = isListAnswer(value) ? value.results : value;
    if (Array.isArray(list)) return list;
  } catch (error) {
    throw malformed(name, `it is not valid JSON: ${reasonOf(error)}. ${hint}`, error);
  }
  throw malformed(name, `it is JSON, but no list of objects, [{…}, {…}]. ${hint}`);
}

/** As lists and `export` write their records in JSON. */
const isListAnswer = (value: unknown): value is { results: unknown } =>
  typeof value === "object" && value !== null && "results" in value && "total_count" in value;

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : "");

function toRow(line: number, text: string): Row {
  try {
    const value = parseJsonBody(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return { line, text, problem: null };
    return { line, text, problem: "The row is not a JSON object." };
  } catch (error) {
    if (!(error instanceof DispatchError)) throw error;
    return { line, text, problem: error.message.replace("The body", "The row") };
  }
}

async function* readLines(chunks: AsyncIterable<Buffer>, name: string): AsyncGenerator<string> {
  let begun = "";
  let line = 1;
  for await (const chunk of chunks) {
    const [first = "", ...lines] = chunk.toString("utf8").split("\n");
    begun += first;
    if (begun.length > rowBytesMax) throw malformed(name, `line ${line} is longer than 1 MiB.`);
    for (const next of lines) {
      yield begun;
      begun = next;
      line++;
    }
  }
  if (begun !== "") yield begun;
}
