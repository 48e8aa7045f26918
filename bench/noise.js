import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const clientFile = fileURLToPath(new URL("noise-client.js", import.meta.url));
const startMsMax = 30_000;

/**
 * Starts the clients of a noisy tenant, which send requests without pause. Resolves at their first answers. `heard`
 * returns the number of answers and of failures; `stop` ends the clients.
 */
export async function startNoise(kind, { headers, locationId, url }) {
  const told = JSON.stringify({ headers, locationId, url });
  const child = spawn(process.execPath, [clientFile, kind, told], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const stop = async () => {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  };
  let heard = { answered: 0, failed: 0 };
  child.on("message", (told) => {
    heard = told;
  });
  const signal = AbortSignal.timeout(startMsMax);
  try {
    while (heard.answered === 0) await once(child, "message", { signal });
  } catch (error) {
    await stop();
    throw new Error(`The clients of the noisy tenant (${kind}) were not answered.`, { cause: error });
  }
  return { heard: () => heard, stop };
}
