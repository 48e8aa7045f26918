import type { MetricsOptions } from "../../../core/server-factory.ts";
import { failure } from "../../../errors/errors.ts";
import type { OptionValues } from "../../context.ts";
import { isLoopback } from "../../input/loopback.ts";
import { readPrivateText } from "../../target/read-secret-keys.ts";

/** As long as `openssl rand -hex 16` makes them: nobody guesses half of that. */
const tokenLengthMin = 16;

/** What --metrics-port, --metrics-host and --metrics-token-file say. Throws a usage error, which never repeats a token. */
export function toMetrics({ metricsHost, metricsPort, metricsTokenFile }: OptionValues): MetricsOptions {
  const tokens = metricsTokenFile === undefined ? null : readTokens(String(metricsTokenFile));
  return {
    address: metricsPort === undefined ? null : { host: String(metricsHost), port: Number(metricsPort) },
    tokens: () => tokens,
  };
}

function readTokens(file: string): string[] {
  const lines = readPrivateText(file, "token").split("\n");
  const tokens = lines.map((line) => line.trim()).filter((line) => line !== "");
  if (tokens.length === 0) throw failure("usage", `${file} holds no token: write one a line into it.`);
  if (tokens.every((token) => token.length >= tokenLengthMin && /^[\x21-\x7e]+$/.test(token))) return tokens;
  throw failure(
    "usage",
    `${file}: each line must be a token of at least ${tokenLengthMin} printable characters without spaces, as \`openssl rand -hex 32\` makes one.`,
  );
}

/** Tells that everybody who reaches the server can read its figures. */
export function toMetricsNotes({ host, metricsHost, metricsPort, metricsTokenFile }: OptionValues): string[] {
  const reachedAt = String(metricsPort === undefined ? host : metricsHost);
  if (metricsTokenFile !== undefined || isLoopback(reachedAt)) return [];
  return [
    `Everybody who reaches ${reachedAt} can read /metrics: which operations are called and how often. --metrics-token-file asks for a token, --metrics-port moves it to an address of its own.`,
  ];
}
