import { createHash, timingSafeEqual } from "node:crypto";
import type { LoginAttempts } from "../../core/login-attempts.ts";
import { failure } from "../../errors/errors.ts";
import { isLoopback } from "../../runtime/loopback.ts";
import type { HttpAnswer, HttpRequest } from "../http-messages.ts";
import type { Scrape } from "./scrape.ts";

export const metricsPath = "/metrics";

export interface MetricsPageOptions {
  attempts?: LoginAttempts;
  scrape: Scrape;
  tokens: () => readonly string[] | null;
  /** Whether a request without a token must name this machine as its host. */
  isLocal: () => boolean;
}

export function createMetricsPage({ attempts, isLocal, scrape, tokens }: MetricsPageOptions) {
  return async ({ client, headers }: HttpRequest): Promise<HttpAnswer> => {
    const good = tokens();
    if (good && !showsOneOf(good, headers.authorization)) {
      if (headers.authorization !== undefined) attempts?.count(client.address ?? "");
      throw failure(
        "unauthenticated",
        `${metricsPath} needs the bearer token of a scraper.`,
        "authorization",
      );
    }
    if (good) client.isKnown = true;
    else if (
      isLocal() &&
      headers.host !== undefined &&
      !isLoopback(headers.host.replace(/:\d+$/, "").toLowerCase())
    )
      // A site in a local browser may point its own name here (DNS rebinding).
      throw failure(
        "invalid_header",
        `${metricsPath} is for this machine: ask for it at localhost, 127.0.0.1, or [::1]. The server answers other hosts when scrapers have a token.`,
        "host",
      );
    return scrape(headers.accept);
  };
}

/** Takes equally long for all invalid tokens. */
function showsOneOf(tokens: readonly string[], header: string | undefined): boolean {
  const [, shown] = /^bearer +(\S+) *$/i.exec(header ?? "") ?? [];
  if (shown === undefined) return false;
  const hash = toHash(shown);
  return tokens.map((token) => timingSafeEqual(toHash(token), hash)).includes(true);
}

const toHash = (text: string) => createHash("sha256").update(text).digest();
