// The one client of floors and subjects, in a process of its own. Reads a JSON specification from standard input:
// `url`, `connections`, `seconds`, `rate` (requests a second; without it as many as are answered), `requests` (each with
// method, path, headers and body, taken in turn by each connection). Writes one line of JSON.
import { text } from "node:stream/consumers";
import autocannon from "autocannon";

const { url, connections, seconds, rate, requests } = JSON.parse(await text(process.stdin));
const times = [];
// Each connection begins elsewhere, so that together they ask for different things at any moment.
let begun = 0;
const instance = autocannon({
  url,
  connections,
  duration: seconds,
  ...(rate && { overallRate: Math.max(1, Math.round(rate)) }),
  requests,
  setupClient: (client) => {
    if (requests.length < 2) return;
    const start = Math.floor((requests.length / connections) * begun++);
    client.setRequests([...requests.slice(start), ...requests.slice(0, start)]);
  },
});
instance.on("response", (_client, _status, _bytes, ms) => times.push(ms));
const result = await instance;
times.sort((a, b) => a - b);
const at = (part) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
process.stdout.write(
  `${JSON.stringify({
    perSecond: result["2xx"] / result.duration,
    notModified: result["3xx"] / result.duration,
    failed: result.non2xx - result["3xx"] + result.errors,
    bytesPerSecond: result.throughput.average,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
  })}\n`,
);
