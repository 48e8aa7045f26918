import type { LookupAddress } from "node:dns";
import { lookup as lookupName } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * Whether the URL itself names an address that is not public: an IPv4 or IPv6 literal in any spelling that
 * the URL parser knows (decimal, octal, hex), or `localhost` and names below it. Node dials literals without
 * a lookup, so the sender checks this before every attempt, not only when the hook is made.
 */
export function isGuardedLiteral(url: URL): boolean {
  const host = toBareHost(url.hostname);
  return isLocalhostName(host) || (isIP(host) !== 0 && !isPublicAddress(host));
}

/**
 * Whether `ip`, an IPv4 or IPv6 address in its usual notation, is a unicast address of the public internet.
 * Anything else is not, text that is no address included. A NAT64 address (64:ff9b::/96) is judged
 * by the IPv4 address inside; the other embeddings (mapped, compatible, 6to4, Teredo, 64:ff9b:1::/48) are
 * refused outright.
 */
export function isPublicAddress(ip: string): boolean {
  return toAddressKind(ip) === "public";
}

/**
 * The sender made no attempt because the host is, or leads to, an address that is not public. The message is for
 * users.
 */
export class AddressRefusedError extends Error {
  override name = "AddressRefusedError";

  /**
   * `host` is the URL's hostname, `address` what it resolved to. The message names only the kind of address, so that
   * users of the service cannot learn the addresses of an inner network from their hooks.
   */
  constructor(host: string, address?: string) {
    super(
      `${toRefusal(toBareHost(host), address)} and hooks are sent to public addresses only; ` +
        "the server's operator can allow others.",
    );
  }
}

/**
 * A host name has no address, or the name servers gave no answer; the message is for users, `cause` the
 * resolver's error.
 */
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

/**
 * Gives all addresses of a host name in the order in which to try them. Rejects, or gives none, when there is none.
 */
export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>;

/** The system's own resolver: hosts file and name servers, IPv4 and IPv6. */
const resolveByDns: ResolveHost = (hostname) => lookupName(hostname, { all: true });

/** Which addresses `createHookLookup` allows, and how it resolves names. */
interface HookLookupOptions {
  allowPrivateAddresses: boolean;
  resolve?: ResolveHost;
}

/**
 * A `lookup` for `net.connect` and `tls.connect`. It resolves a name once and passes on exactly the addresses that it
 * checked, so that the name cannot change between check and connect. Fails with `NameError` or
 * `AddressRefusedError`. One address that is not public refuses the whole name: a mixture is an attack or a
 * mistake, and filtering it would make deliveries depend on which address is tried.
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

// ipaddr.js knows more ranges than these (and than its types list); every one of them is "reserved" here.
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

// Azure's host agent answers here inside every virtual machine, though the address lies in a public block.
const azureHostAgent = "168.63.129.16";
const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];
const wellKnownNat64: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("64:ff9b::"), 96];

function toAddressKind(ip: string): AddressKind {
  // ipaddr.js also reads 0x7f.1 and 2130706433; isIP takes only what a resolver or a URL's hostname contains.
  if (isIP(ip) === 0 || ip === azureHostAgent) return "reserved";
  const address = ipaddr.parse(ip);
  if (address.kind() === "ipv6") {
    if (address.match(wellKnownNat64)) {
      return toAddressKind(address.toByteArray().slice(-4).join("."));
    }
    // To ipaddr.js, whatever has no special range is unicast; only 2000::/3 is in use (RFC 4291, IANA).
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
