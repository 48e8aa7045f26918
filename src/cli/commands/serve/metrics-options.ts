import type { MetricsOptions } from "../../../core/server-factory.ts";
import { failure } from "../../../errors/errors.ts";
import { isLoopback } from "../../../runtime/loopback.ts";
import type { OptionValues } from "../../context.ts";
import { readSecretFile } from "../../target/read-secret-file.ts";

/** Half of what `openssl rand -hex 16` prints, and still too long to guess. */
const tokenLengthMin = 16;

/** Throws a usage error, which never repeats a token. */
export function toMetrics(options: OptionValues): MetricsOptions {
  const { metricsHost, metricsPort, metricsTokenFile } = options;
  const tokens = metricsTokenFile === undefined ? null : readTokens(String(metricsTokenFile));
  return {
    address: metricsPort === undefined ? null : { host: String(metricsHost), port: Number(metricsPort) },
    tokens: () => tokens,
    // A browser cannot reach a unix socket, where a proxy may send any host name.
    isLocal: (metricsPort !== undefined || options.socket === undefined) && isLoopback(reachedAt(options)),
  };
}

/** Throws a usage error, which never repeats a token. */
export function readTokens(file: string): string[] {
  const lines = readSecretFile(file, {
    advice: "; then create a new token",
    allowsRootsGroup: true,
  }).split("\n");
  const tokens = lines.map((line) => line.trim()).filter((line) => line !== "");
  if (tokens.length === 0) throw failure("usage", `${file} holds no token: write one token on each line.`);
  if (tokens.every((token) => token.length >= tokenLengthMin && /^[\x21-\x7e]+$/.test(token))) return tokens;
  throw failure(
    "usage",
    `${file}: each line must be a token of at least ${tokenLengthMin} printable characters without spaces, as \`openssl rand -hex 32\` creates it.`,
  );
}

export function toMetricsNotes(options: OptionValues): string[] {
  const host = reachedAt(options);
  if (options.metricsTokenFile !== undefined || isLoopback(host)) return [];
  return [
    `Every client of ${host} can read /metrics: the called operations, and their number. --metrics-token-file requires a token; --metrics-port moves it to a separate address.`,
  ];
}

const reachedAt = ({ host, metricsHost, metricsPort }: OptionValues) =>
  String(metricsPort === undefined ? host : metricsHost);
