import { readFile } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";

/** How long a request may block the event loop, and how many requests the table shows. */
const heldMsMax = 50;
const toldMax = 3;

/**
 * Returns options of Node.js that make a server write `file` at its end: the requests that blocked its event loop the
 * longest.
 */
export function watchHolds(file) {
  const module = pathToFileURL(fileURLToPath(new URL("watch-holds.js", import.meta.url)));
  module.searchParams.set("file", file);
  return ["--import", module.href];
}

/**
 * Creates a row of the table from the server's file. It reports times without judging them, because they need a quiet
 * machine.
 */
export async function readHolds(file) {
  return describeHolds(JSON.parse(await readFile(file, "utf8")));
}

export function describeHolds(holds) {
  const sorted = [...holds].sort((a, b) => b.ms - a.ms);
  const shown = sorted.slice(0, toldMax).map(({ name, ms }) => `${Math.round(ms)} ms ${name}`);
  const beyond = sorted.filter(({ ms }) => ms > heldMsMax).length;
  const aim = beyond === 0 ? [] : [`beyond the aim of ${heldMsMax} ms: ${beyond}`];
  return [shown.length === 0 ? "never for long" : shown.join(", "), ...aim].join("; ");
}
