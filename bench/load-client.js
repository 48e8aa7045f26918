// The client of every measurement, in its own process. Reads a JSON specification from standard input: `url`,
// `connections`, `seconds`, `rate` (requests a second; the default is as many as possible), `requests` (each with
// method, path, headers, and body; each connection repeats its share). Writes one line of JSON.
import { text } from "node:stream/consumers";
import autocannon from "autocannon";

const { url, connections, seconds, rate, requests } = JSON.parse(await text(process.stdin));
const times = [];
let begun = 0;
const instance = autocannon({
  url,
  connections,
  duration: seconds,
  ...(rate && { overallRate: Math.max(1, Math.round(rate)) }),
  // Autocannon builds all requests for each connection. For 32 connections with 2,000 bodies, that takes a second of
  // the measurement.
  requests: requests.slice(0, 1),
  setupClient: (client) => {
    // Each connection has its own share, so that connections send different requests at any moment.
    const part = Math.floor(requests.length / connections);
    const start = part * begun++;
    if (part > 0) client.setRequests(requests.slice(start, start + part));
    else if (requests.length > 1) client.setRequests(requests.slice(start % requests.length));
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
