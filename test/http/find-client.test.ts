import { describe, expect, it } from "vitest";
import { parseTrustedProxies } from "../../src/core/trusted-proxies.ts";
import { findClient } from "../../src/http/find-client.ts";

type Request = Parameters<typeof findClient>[0];

/** Returns the client that a server finds for a request from `peer` with these headers. */
function find(
  trusted: string | null,
  headers: Request["headers"],
  peer: string | undefined = "10.0.0.7",
): unknown[] {
  // The server reads only the address of the socket.
  const socket = { remoteAddress: peer } as Request["socket"];
  const client = findClient({ headers, socket }, trusted === null ? null : parseTrustedProxies(trusted));
  return [client.address, client.scheme, client.host].filter((fact) => fact !== undefined);
}

describe("the client address of a request", () => {
  it("is the peer of the connection while no proxy is trusted, whatever the headers contain", () => {
    const headers = {
      "x-forwarded-for": "203.0.113.9",
      "x-forwarded-proto": "https",
      forwarded: "for=1.2.3.4",
    };
    expect(find(null, headers)).toEqual(["10.0.0.7"]);
    expect(find("10.0.1.0/24", headers)).toEqual(["10.0.0.7"]);
  });

  it.each([
    ["the last entry, which the proxy wrote", "6.6.6.6, 203.0.113.9", "203.0.113.9"],
    ["the one before entries of trusted proxies", "6.6.6.6, 203.0.113.9, 10.0.0.8,10.9.9.9", "203.0.113.9"],
    ["the first when all are trusted", "10.1.1.1, 10.0.0.8", "10.1.1.1"],
    ["the proxy when it does not know", "6.6.6.6, unknown", "10.0.0.7"],
    ["the trusted one before what is no address", "6.6.6.6, <script>, 10.0.0.8", "10.0.0.8"],
    ["without its port", "203.0.113.9:4711", "203.0.113.9"],
    ["of IPv6, in brackets with a port", "[2001:db8::9]:4711", "2001:db8::9"],
    ["of IPv6, bare", "2001:db8::9", "2001:db8::9"],
    ["no number that only inet_aton reads", "0x7f.1", "10.0.0.7"],
    ["the proxy behind an empty entry", "6.6.6.6,", "10.0.0.7"],
    ["the nearest of more hops than there are", `6.6.6.6, ${"10.0.0.8, ".repeat(5000)}10.0.0.9`, "10.0.0.8"],
  ])("is, from X-Forwarded-For of a trusted proxy, %s", (_, header, address) => {
    expect(find("10.0.0.0/8", { "x-forwarded-for": header })[0]).toBe(address);
  });

  it.each([
    ["for=6.6.6.6, for=203.0.113.9;proto=HTTPS;host=dispatch.example;by=10.0.0.7", "203.0.113.9"],
    ['For="[2001:db8::9]:4711"', "2001:db8::9"],
    ["for=203.0.113.9, for=10.0.0.8", "203.0.113.9"],
    ["for=_hidden", "10.0.0.7"],
    // The proxy continues the header of its client.
    ['for="6.6.6.6, for=203.0.113.9', "10.0.0.7"],
    ['for=6.6.6.6;x=", for="[2001:db8::9]"', "10.0.0.7"],
    ["for=6.6.6.6 for=203.0.113.9", "10.0.0.7"],
    ["", "10.0.0.7"],
  ])("is, from Forwarded: %s, %s", (forwarded, address) => {
    expect(find("10.0.0.0/8", { forwarded })[0]).toBe(address);
  });

  it("is the proxy if both headers disagree, because its client wrote one of them", () => {
    const told = { "x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "https" };
    expect(find("10.0.0.7", { ...told, forwarded: "for=6.6.6.6;host=evil.example" })).toEqual(["10.0.0.7"]);
    expect(find("10.0.0.7", { ...told, forwarded: "for=203.0.113.9;proto=https" })).toEqual([
      "203.0.113.9",
      "https",
    ]);
  });

  it("comes with the scheme and host of its own hop, if they are valid", () => {
    const through = (proto: string, host: string) =>
      find("10.0.0.0/8", {
        "x-forwarded-for": "203.0.113.9, 10.0.0.8",
        "x-forwarded-proto": proto,
        "x-forwarded-host": host,
      });
    expect(through("https, http", "a.example, inner")).toEqual(["203.0.113.9", "https", "a.example"]);
    expect(through("gopher, https, http", "evil, a.example:8443, inner")).toEqual([
      "203.0.113.9",
      "https",
      "a.example:8443",
    ]);
    expect(through("https", "a.example")).toEqual(["203.0.113.9", "https", "a.example"]);
    expect(through("javascript", 'x"><script>')).toEqual(["203.0.113.9"]);
    expect(find("10.0.0.7", { "x-forwarded-proto": "https" })).toEqual(["10.0.0.7", "https"]);
  });

  it("is known at a unix socket only if the proxy there is trusted", () => {
    const headers = { "x-forwarded-for": "203.0.113.9" };
    expect(find("unix,10.0.0.7", headers, "")[0]).toBe("");
    const socket = {} as Request["socket"];
    expect(findClient({ headers, socket }, parseTrustedProxies("10.0.0.7")).address).toBeNull();
    expect(findClient({ headers, socket }, parseTrustedProxies("unix")).address).toBe("203.0.113.9");
  });
});

describe("trusted proxies", () => {
  it("are addresses and ranges of IPv4 and IPv6, including mapped ones", () => {
    const proxies = parseTrustedProxies("10.0.0.0/8, 192.0.2.7,2001:db8::/32 ,::1");
    const trusted = ["10.255.0.1", "::ffff:10.0.0.1", "192.0.2.7", "2001:db8:1::1", "::1"];
    const others = ["11.0.0.1", "192.0.2.8", "2001:db9::1", "::2", "fe80::1%eth0", "", "nonsense"];
    expect(trusted.map((address) => proxies.trusts(address))).toEqual(trusted.map(() => true));
    expect([...others, null].map((address) => proxies.trusts(address))).toEqual(
      [...others, null].map(() => false),
    );
  });

  it.each([
    "",
    "10.0.0.0/33",
    "10.0.0",
    "0x7f.1",
    "proxy.example",
    "10.0.0.1;10.0.0.2",
    "2001:db8::/129",
    "1:2",
  ])("refuse %j", (text) => {
    expect(() => parseTrustedProxies(text)).toThrow("A trusted proxy must be addresses like 10.0.0.7");
  });
});
