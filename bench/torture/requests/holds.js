import { readFile } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The aim for holding the event loop, and the number of shown requests. */
const heldMsMax = 50;
const toldMax = 3;

/**
 * Options of Node.js with which a server writes, at its end, the requests that held its event loop the
 * longest into `file`.
 */
export function watchHolds(file) {
  const module = pathToFileURL(fileURLToPath(new URL("watch-holds.js", import.meta.url)));
  module.searchParams.set("file", file);
  return ["--import", module.href];
}

/**
 * A row of the table from the server's file. Times are shown and not judged, because they need a quiet
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
