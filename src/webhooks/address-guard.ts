import type { LookupAddress } from "node:dns";
import { lookup as lookupName } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";

/** Node dials IP literals without a lookup, so the sender checks the URL before every attempt. */
export function isGuardedLiteral(url: URL): boolean {
  const host = toBareHost(url.hostname);
  return isLocalhostName(host) || (isIP(host) !== 0 && !isPublicAddress(host));
}

/** Judges a NAT64 address (64:ff9b::/96) by its IPv4 address, and refuses other embeddings. */
export function isPublicAddress(ip: string): boolean {
  return toAddressKind(ip) === "public";
}

/** The message is for users. */
export class AddressRefusedError extends Error {
  override name = "AddressRefusedError";

  /** The message names only the kind of `address`, so that users cannot explore an internal network with webhooks. */
  constructor(host: string, address?: string) {
    super(
      `${toRefusal(toBareHost(host), address)} and hooks are sent to public addresses only; ` +
        "the server's operator can allow others.",
    );
  }
}

/** The name has no address, or name servers do not answer. The message is for users. */
export class NameError extends Error {
  override name = "NameError";

  constructor(hostname: string, cause?: unknown) {
    super(
      isTemporary(cause)
        ? `The name ${hostname} could not be resolved: the name servers did not answer.`
        : `The name ${hostname} could not be resolved.`,
      { cause },
    );
  }
}

/** Returns the addresses in the order to try. */
export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>;

const resolveByDns: ResolveHost = (hostname) => lookupName(hostname, { all: true });

interface HookLookupOptions {
  allowPrivateAddresses: boolean;
  resolve?: ResolveHost;
}

/**
 * Returns only checked addresses, so that the name cannot change before the connection. One private address refuses the
 * name.
 */
export function createHookLookup({
  allowPrivateAddresses,
  resolve = resolveByDns,
}: HookLookupOptions): LookupFunction {
  return (hostname, options, callback) => {
    resolveChecked(hostname, resolve, allowPrivateAddresses).then(
      (addresses) =>
        options.all ? callback(null, addresses) : callback(null, addresses[0].address, addresses[0].family),
      (error) => callback(error, []),
    );
  };
}

type Addresses = [LookupAddress, ...LookupAddress[]];

async function resolveChecked(
  hostname: string,
  resolve: ResolveHost,
  allowPrivateAddresses: boolean,
): Promise<Addresses> {
  const addresses = await resolveAll(hostname, resolve);
  const refused = allowPrivateAddresses
    ? undefined
    : addresses.find(({ address }) => !isPublicAddress(address));
  if (refused) throw new AddressRefusedError(hostname, refused.address);
  return addresses;
}

async function resolveAll(hostname: string, resolve: ResolveHost): Promise<Addresses> {
  try {
    const [first, ...others] = await resolve(hostname);
    if (first) return [first, ...others];
  } catch (error) {
    throw new NameError(hostname, error);
  }
  throw new NameError(hostname);
}

type AddressKind = "public" | "private" | "loopback" | "link-local" | "multicast" | "reserved";

// All other ranges of ipaddr.js count as "reserved".
const kindByRange: Readonly<Record<string, AddressKind>> = {
  unicast: "public",
  private: "private",
  uniqueLocal: "private",
  deprecatedSiteLocal: "private",
  carrierGradeNat: "private",
  loopback: "loopback",
  linkLocal: "link-local",
  multicast: "multicast",
};

// Azure's host agent answers at this public address inside every virtual machine.
const azureHostAgent = "168.63.129.16";
const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];
const wellKnownNat64: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("64:ff9b::"), 96];

function toAddressKind(ip: string): AddressKind {
  // ipaddr.js also accepts 0x7f.1 and 2130706433. isIP accepts only the forms of resolvers and URLs.
  if (isIP(ip) === 0 || ip === azureHostAgent) return "reserved";
  const address = ipaddr.parse(ip);
  if (address.kind() === "ipv6") {
    if (address.match(wellKnownNat64)) {
      return toAddressKind(address.toByteArray().slice(-4).join("."));
    }
    // ipaddr.js calls all other addresses unicast, but only 2000::/3 is in use (RFC 4291, IANA).
    if (address.range() === "unicast" && !address.match(globalUnicast)) {
      return "reserved";
    }
  }
  return kindByRange[address.range()] ?? "reserved";
}

function toRefusal(host: string, address: string | undefined): string {
  if (isLocalhostName(host)) return `The name ${host} means this machine,`;
  return address === undefined
    ? `The address ${host} is ${toAddressKind(host)},`
    : `The name ${host} leads to a ${toAddressKind(address)} address,`;
}

/** RFC 6761: these names mean loopback, whatever a resolver answers. */
function isLocalhostName(host: string): boolean {
  return /(^|\.)localhost\.?$/i.test(host);
}

function toBareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

function isTemporary(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EAI_AGAIN";
}
