import { createHash, timingSafeEqual } from "node:crypto";
import type { LoginAttempts } from "../../auth/login-attempts.ts";
import { failure } from "../../errors/errors.ts";
import { isLoopback } from "../../runtime/loopback.ts";
import type { HttpAnswer } from "../http-answer.ts";
import type { HttpRequest } from "../http-request.ts";
import type { Scrape } from "./scrape.ts";

/** Where the figures are. */
export const metricsPath = "/metrics";

/** What answers scrapes, and who may ask for them. */
export interface MetricsPageOptions {
  attempts?: LoginAttempts;
  scrape: Scrape;
  /** One of them must be shown; where there are none, nobody need show any. */
  tokens: () => readonly string[] | null;
  /** Whether a request without a token must name this machine as its host. */
  isLocal: () => boolean;
}

/** Makes the page of figures. Wrong tokens count as failed logins of their address. */
export function createMetricsPage({ attempts, isLocal, scrape, tokens }: MetricsPageOptions) {
  return async ({ client, headers }: HttpRequest): Promise<HttpAnswer> => {
    const good = tokens();
    if (good && !showsOneOf(good, headers.authorization)) {
      // Who shows none guesses none.
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
      // A site that a browser on this machine shows may have its own name lead here (DNS rebinding).
      throw failure(
        "invalid_header",
        `${metricsPath} is for this machine: ask for it at localhost, 127.0.0.1, or [::1]. The server answers other hosts when scrapers have a token.`,
        "host",
      );
    return scrape(headers.accept);
  };
}

/** Takes the same time for every token that is wrong. */
function showsOneOf(tokens: readonly string[], header: string | undefined): boolean {
  const [, shown] = /^bearer +(\S+) *$/i.exec(header ?? "") ?? [];
  if (shown === undefined) return false;
  const hash = toHash(shown);
  return tokens.map((token) => timingSafeEqual(toHash(token), hash)).includes(true);
}

const toHash = (text: string) => createHash("sha256").update(text).digest();
