import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { TrustedProxies } from "../core/trusted-proxies.ts";
import type { Client } from "./http-request.ts";

/** What a proxy says of a request that it passed on: whom it had it from, and how it was reached. */
interface Hop {
  address: string | undefined;
  scheme?: string | undefined;
  host?: string | undefined;
}

/** No chain of proxies is longer; what stands before that many entries is not looked at. */
const hopsMax = 32;

/**
 * Finds where a request comes from: the other end of its connection or, when that is a trusted proxy, whom the proxy names
 * (X-Forwarded-For or Forwarded, RFC 7239). Entries are read from the right, past proxies that are trusted too; what stands
 * left of the first other one may be anybody's invention. A request that names two clients by the two headers has passed a
 * proxy that leaves one of them to its client: neither is believed (OP-323).
 */
export function findClient(
  { headers, socket }: Pick<IncomingMessage, "headers" | "socket">,
  proxies: TrustedProxies | null,
): Client {
  const client: Client = {
    address: socket.remoteAddress ?? null,
    isKnown: false,
    isGone: () => socket.destroyed,
  };
  if ("encrypted" in socket) client.scheme = "https";
  if (!proxies?.trusts(client.address)) return client;
  const told = [toForwardedHops(headers.forwarded), toListedHops(headers)].filter((hops) => hops.length > 0);
  const [found, other] = told.map((hops) => walk(client.address, hops, proxies));
  if (!found || (other && other.address !== found.address)) return client;
  client.address = found.address;
  if (found.scheme === "http" || found.scheme === "https") client.scheme = found.scheme;
  if (found.host !== undefined && isHost(found.host)) client.host = found.host;
  return client;
}

/** Goes from the proxy that connected back to the first address that is none of theirs. */
function walk(peer: string | null, hops: readonly Hop[], proxies: TrustedProxies) {
  let found: { address: string | null } & Omit<Hop, "address"> = { address: peer };
  for (const { address: text, ...reached } of hops.toReversed()) {
    if (!proxies.trusts(found.address)) break;
    const address = toAddress(text);
    found = { ...reached, address: address ?? found.address };
    // The proxy does not say whom it had it from: what stands further left it did not write.
    if (address === null) break;
  }
  return found;
}

/** An address as proxies write it, with a port or without; null for what is none, such as `unknown`. */
function toAddress(text = ""): string | null {
  const [, bracketed, plain = text] = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text) ?? [];
  const address = bracketed ?? plain;
  return isIP(address) === 0 ? null : address;
}

/** The entries of X-Forwarded-For, with those of -Proto and -Host that belong to them: of shorter lists the last is the proxy's. */
function toListedHops(headers: IncomingMessage["headers"]): Hop[] {
  const addresses = toList(headers["x-forwarded-for"]);
  const schemes = toList(headers["x-forwarded-proto"]);
  const hosts = toList(headers["x-forwarded-host"]);
  const count = Math.max(addresses.length, Math.min(1, schemes.length + hosts.length));
  return Array.from({ length: count }, (_, index) => {
    const fromRight = index - count;
    const scheme = (schemes.at(fromRight) ?? schemes[0])?.toLowerCase();
    return { address: addresses[index], scheme, host: hosts.at(fromRight) ?? hosts[0] };
  });
}

function toList(header: string | string[] | undefined): string[] {
  if (typeof header !== "string" || header === "") return [];
  return header
    .split(",")
    .slice(-hopsMax)
    .map((entry) => entry.trim());
}

function toForwardedHops(header: string | undefined): Hop[] {
  if (header === undefined) return [];
  // A proxy that trusts nobody's quotes wrote behind them: what cannot be read in full tells of nobody.
  const elements = parseForwarded(header) ?? [new Map<string, string>()];
  return elements.slice(-hopsMax).map((pairs) => ({
    address: pairs.get("for"),
    scheme: pairs.get("proto")?.toLowerCase(),
    host: pairs.get("host"),
  }));
}

/** Whether a text can be the host of an address, with a port or without: a name, or an address of IPv4 or IPv6. */
export function isHost(text: string): boolean {
  return /^(?:[a-z\d.-]{1,253}|\[[a-f\d:.]{2,45}\])(?::\d{1,5})?$/i.test(text);
}

/** A name with its value, and what may stand behind it (RFC 7239, section 4). */
const pairPattern = /[ \t]*([!#$%&'*+.^_`|~\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s",;]+))[ \t]*([,;]|$)/y;

/**
 * Reads a Forwarded header: an element for each proxy that it passed, the first proxy's first, each with its pairs by name in
 * small letters. Null when any of it cannot be read: with an open quote, a client could make what its proxy adds a part of
 * its own text.
 */
function parseForwarded(text: string): ReadonlyMap<string, string>[] | null {
  const elements = [new Map<string, string>()];
  pairPattern.lastIndex = 0;
  while (pairPattern.lastIndex < text.length) {
    const found = pairPattern.exec(text);
    if (!found) return null;
    const [, name = "", quoted, plain = "", separator] = found;
    elements.at(-1)?.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, "$1") ?? plain);
    if (separator === ",") elements.push(new Map());
  }
  return elements;
}
