import { spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";

export function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

/**
 * Starts a program that writes one line of JSON when it is ready. Returns the line and the process. `log` receives
 * its errors.
 */
export async function startReady(file, argv, log = "inherit", nodeOptions = []) {
  const child = spawn(process.execPath, [...nodeOptions, file, ...argv], { stdio: ["ignore", "pipe", log] });
  return { child, ready: JSON.parse(await readReady(child)) };
}

/** Reads a program's standard output up to its first line or its end, then closes it. */
export async function readReady({ stdout }) {
  let text = "";
  for await (const chunk of stdout) {
    text += chunk;
    if (text.includes("\n")) break;
  }
  return text;
}

export async function end(child) {
  child.kill("SIGTERM");
  await once(child, "exit");
}

/** Measures requests a second over `connections` kept-alive connections, for about `seconds`. */
export async function requestRate({ url, method = "GET", headers = {}, body, connections = 8, seconds = 4 }) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const stopAt = performance.now() + seconds * 1000;
  let answered = 0;
  const loop = async () => {
    while (performance.now() < stopAt) {
      await sendOnce({ url, method, headers, body: typeof body === "function" ? body() : body, agent });
      answered++;
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: connections }, loop));
  agent.destroy();
  return answered / ((performance.now() - startedAt) / 1000);
}

/** A server that gives no answer for this long hangs. */
const answerMsMax = 60_000;

/** Returns the body of the answer. Throws without an answer, or if the status is not 200. */
export function sendOnce({ url, method = "GET", headers = {}, body, agent }) {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent, timeout: answerMsMax }, (answer) => {
      const chunks = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () => {
        const bytes = Buffer.concat(chunks);
        if (answer.statusCode === 200) resolve(bytes);
        else reject(new Error(`status ${answer.statusCode}: ${bytes}`));
      });
    });
    sent.on("timeout", () => sent.destroy(new Error(`${method} ${url} was not answered in time.`)));
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Returns status, headers, and body of any answer. */
export function sendRequest({ url, method = "GET", headers = {}, body }) {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (answer) => {
      const chunks = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("end", () =>
        resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) }),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
