import type { RateLimit } from "../../core/server-factory.ts";
import { failure } from "../../errors/errors.ts";
import { isLoopback } from "../../runtime/loopback.ts";
import type { OptionValues } from "../context.ts";

/** Reads --rate-limit: `<n>`, `<n>/<burst>`, or `off`, which is null. Throws a usage error. */
export function parseRateLimit(text: string, name: string): RateLimit | null {
  if (text === "off") return null;
  const [, perSecond = "0", burst] = /^(\d{1,6})(?:\/(\d{1,6}))?$/.exec(text) ?? [];
  const limit = { perSecond: Number(perSecond), burst: Number(burst ?? Number(perSecond) * 2) };
  if (limit.perSecond >= 1 && limit.burst >= 1) return limit;
  throw failure(
    "usage",
    `${name} must be requests a second, like 100, with a burst, like 100/200, or off, not "${text}".`,
  );
}

/**
 * The limit of a server that was told none, as --rate-limit says it: only this machine reaches one on loopback, unless a proxy is
 * told of (OP-90).
 */
export const defaultRateLimit = ({ host, socket, trustedProxy }: OptionValues): string =>
  socket === undefined && trustedProxy === undefined && isLoopback(String(host)) ? "off" : "100/200";
