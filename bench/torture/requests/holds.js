import { readFile } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";

/** How long a request may hold the event loop, and how many are told. */
const heldMsMax = 50;
const toldMax = 3;

/** Options of Node with which a server writes into `file`, at its end, which requests held its event loop the longest. */
export function watchHolds(file) {
  const module = pathToFileURL(fileURLToPath(new URL("watch-holds.js", import.meta.url)));
  module.searchParams.set("file", file);
  return ["--import", module.href];
}

/** What such a server wrote, as the row of the table says it. Times are told and not judged (OP-210). */
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
