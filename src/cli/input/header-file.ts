import { failure } from "../../errors/errors.ts";

/** Parses the output of `curl -i` or `-D`, the last response only. Throws a usage error that names the line. */
export function parseHeaderFile(text: string, file: string): Record<string, string> {
  const lines = toLastBlock(text.replace(/^\uFEFF/, "").split(/\r?\n/));
  const headers = new Map<string, string>();
  for (const { line, number } of lines) {
    const [, written, value = ""] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
    if (written === undefined) throw failure("usage", `${file}, line ${number}: expected \`Name: value\`.`);
    const name = written.toLowerCase();
    const earlier = headers.get(name);
    headers.set(name, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  if (headers.size === 0) throw failure("usage", `${file} has no headers.`);
  return Object.fromEntries(headers);
}

const isStart = (line: string) => /^(?:HTTP\/[\d.]+ \d{3}|[A-Z]+ \S+ HTTP\/[\d.]+$)/.test(line);

/** curl writes several responses after a redirect or `100 Continue`. */
function toLastBlock(lines: readonly string[]): { line: string; number: number }[] {
  let block: { line: string; number: number }[] = [];
  let isOver = false;
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") {
      isOver = block.length > 0;
    } else if (isStart(line)) {
      block = [];
      isOver = false;
    } else if (isOver) {
      break;
    } else {
      block.push({ line, number: index + 1 });
    }
  }
  return block;
}
