import ipaddr from "ipaddr.js";
import { failure } from "../errors/errors.ts";

export interface TrustedProxies {
  /** null is the peer of a unix socket, which has no address. */
  trusts(address: string | null): boolean;
}

type Range = ReturnType<typeof ipaddr.parseCIDR>;

/** Parses addresses, ranges like 10.0.0.0/8, and `unix` (peers of a unix socket), with commas. Throws a usage error. */
export function parseTrustedProxies(text: string, name = "A trusted proxy"): TrustedProxies {
  const words = text.split(",").map((word) => word.trim());
  const trustsUnix = words.includes("unix");
  const ranges = words.filter((word) => word !== "unix").map((word) => parseRange(word, name));
  return {
    trusts: (address) => (address === null ? trustsUnix : isWithin(ranges, address)),
  };
}

function parseRange(word: string, name: string): Range {
  const range = toRange(word);
  if (range) return range;
  throw failure(
    "usage",
    `${name} must be addresses like 10.0.0.7, ranges like 10.0.0.0/8, or unix, with commas between them, not "${word}".`,
  );
}

function toRange(word: string): Range | null {
  // The library also accepts unusual forms such as 0x7f.1.
  if (!/^(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f:.]*:[\da-f:.]*)(?:\/\d{1,3})?$/i.test(word)) return null;
  try {
    if (word.includes("/")) return ipaddr.parseCIDR(word);
    const address = ipaddr.process(word);
    return [address, address.kind() === "ipv4" ? 32 : 128];
  } catch {
    return null;
  }
}

function isWithin(ranges: readonly Range[], text: string): boolean {
  const [plain = ""] = text.split("%");
  if (!ipaddr.isValid(plain)) return false;
  const address = ipaddr.process(plain);
  return ranges.some((range) => address.kind() === range[0].kind() && address.match(range));
}
