import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { TrustedProxies } from "../core/trusted-proxies.ts";
import type { Client } from "./http-messages.ts";

interface Hop {
  address: string | undefined;
  scheme?: string | undefined;
  host?: string | undefined;
}

/** Longer chains of proxies do not exist. */
const hopsMax = 32;

/**
 * The client is the peer or, behind trusted proxies, the client that they name (X-Forwarded-For, or Forwarded of RFC
 * 7239). Reads entries from the right until the first untrusted address: a client may invent the others. If both
 * headers name different clients, neither counts, because a proxy passed one on unchecked.
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

function walk(peer: string | null, hops: readonly Hop[], proxies: TrustedProxies) {
  let found: { address: string | null } & Omit<Hop, "address"> = { address: peer };
  for (const { address: text, ...reached } of hops.toReversed()) {
    if (!proxies.trusts(found.address)) break;
    const address = toAddress(text);
    found = { ...reached, address: address ?? found.address };
    // The proxy does not name its client and did not write the entries further left.
    if (address === null) break;
  }
  return found;
}

/** The port is optional. null for other texts, such as `unknown`. */
function toAddress(text = ""): string | null {
  const [, bracketed, plain = text] = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text) ?? [];
  const address = bracketed ?? plain;
  return isIP(address) === 0 ? null : address;
}

/** Adds -Proto and -Host to the entries of X-Forwarded-For. The last entry of a shorter list is the proxy's. */
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
  // A header that does not parse completely names no client.
  const elements = parseForwarded(header) ?? [new Map<string, string>()];
  return elements.slice(-hopsMax).map((pairs) => ({
    address: pairs.get("for"),
    scheme: pairs.get("proto")?.toLowerCase(),
    host: pairs.get("host"),
  }));
}

export function isHost(text: string): boolean {
  return /^(?:[a-z\d.-]{1,253}|\[[a-f\d:.]{2,45}\])(?::\d{1,5})?$/i.test(text);
}

const pairPattern = /[ \t]*([!#$%&'*+.^_`|~\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s",;]+))[ \t]*([,;]|$)/y;

/** null if any part is unreadable: a client could hide the proxy's entry behind an open quote. */
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
