import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { sendOnce, startReady } from "./measure.js";
import { scratch } from "./store.js";

let files = 0;

/** Starts a bare server that sends the answer to `request`. Returns its process and address. */
export async function startBare(request) {
  const file = scratch(`bare-${files++}.json`);
  const body = await sendOnce(request);
  writeFileSync(file, body);
  const server = await startReady(fileURLToPath(new URL("./bare-server.js", import.meta.url)), [file]);
  return { ...server, bytes: body.length };
}
