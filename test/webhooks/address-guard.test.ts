import type { LookupAddress, LookupOptions } from "node:dns";
import { describe, expect, it } from "vitest";
import {
  AddressRefusedError,
  createHookLookup,
  isGuardedLiteral,
  isPublicAddress,
  NameError,
} from "../../src/webhooks/address-guard.ts";

describe("a public address", () => {
  it.each([
    "1.1.1.1",
    "8.8.8.8",
    "100.63.255.255",
    "100.128.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.167.255.255",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "2606:4700:4700::1111",
    "2a00:1450:4001:81b::200e",
    "64:ff9b::808:808",
  ])("is %s", (ip) => {
    expect(isPublicAddress(ip)).toBe(true);
  });

  it.each([
    ["unspecified", "0.0.0.0"],
    ["this network", "0.255.255.255"],
    ["private", "10.0.0.5"],
    ["private", "172.16.0.1"],
    ["private", "172.31.255.255"],
    ["private", "192.168.1.1"],
    ["carrier-grade NAT", "100.64.0.1"],
    ["carrier-grade NAT, a cloud's metadata", "100.100.100.200"],
    ["loopback", "127.0.0.1"],
    ["loopback", "127.255.255.254"],
    ["link-local", "169.254.0.1"],
    ["metadata", "169.254.169.254"],
    ["metadata in a public block", "168.63.129.16"],
    ["protocol assignments, a cloud's metadata", "192.0.0.192"],
    ["documentation", "192.0.2.1"],
    ["documentation", "198.51.100.1"],
    ["documentation", "203.0.113.1"],
    ["6to4 relay", "192.88.99.1"],
    ["benchmarking", "198.18.0.1"],
    ["benchmarking", "198.19.255.255"],
    ["multicast", "224.0.0.1"],
    ["multicast", "239.255.255.255"],
    ["reserved", "240.0.0.1"],
    ["broadcast", "255.255.255.255"],
    ["unspecified", "::"],
    ["loopback", "::1"],
    ["IPv4-compatible", "::8.8.8.8"],
    ["IPv4-mapped private", "::ffff:10.0.0.1"],
    ["IPv4-mapped public", "::ffff:8.8.8.8"],
    ["IPv4-translated", "::ffff:0:8.8.8.8"],
    ["NAT64 of a private address", "64:ff9b::10.0.0.1"],
    ["NAT64 of the metadata address", "64:ff9b::a9fe:a9fe"],
    ["local NAT64", "64:ff9b:1::808:808"],
    ["discard", "100::1"],
    ["Teredo", "2001::1"],
    ["benchmarking", "2001:2::1"],
    ["ORCHID", "2001:20::1"],
    ["documentation", "2001:db8::1"],
    ["documentation", "3fff::1"],
    ["6to4 of a private address", "2002:a00:1::1"],
    ["6to4 of a public address", "2002:808:808::1"],
    ["never assigned", "4000::1"],
    ["segment routing", "5f00::1"],
    ["unique local", "fc00::1"],
    ["metadata", "fd00:ec2::254"],
    ["metadata", "fd20:ce::254"],
    ["link-local", "fe80::1"],
    ["link-local with a zone", "fe80::1%eth0"],
    ["site-local", "fec0::1"],
    ["multicast", "ff02::1"],
    ["not an address", "example.com"],
    ["not in usual notation", "2130706433"],
    ["not in usual notation", "0x8.8.8.8"],
    ["empty", ""],
  ])("is never %s: %s", (_, ip) => {
    expect(isPublicAddress(ip)).toBe(false);
  });
});

describe("a hook's URL", () => {
  it.each([
    "http://127.0.0.1/",
    "http://127.0.0.1./",
    "http://2130706433/",
    "http://0177.0.0.1/",
    "http://0x7f.0.0.1/",
    "http://0x7f000001/",
    "http://127.1/",
    "http://%31%32%37.0.0.1/",
    "http://１２７.0.0.1/",
    "http://0/",
    "http://10.0.0.5:8080/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[fd00:ec2::254]/",
    "http://localhost/",
    "http://LOCALHOST:3000/",
    "http://localhost./",
    "http://api.localhost/",
  ])("is recognized as private in a URL: %s", (text) => {
    expect(isGuardedLiteral(new URL(text))).toBe(true);
  });

  it.each([
    "http://8.8.8.8/",
    "http://[2606:4700:4700::1111]/",
    "http://example.com/",
    "http://mylocalhost/",
  ])("is not private in a URL: %s", (text) => {
    expect(isGuardedLiteral(new URL(text))).toBe(false);
  });
});

describe("the lookup of a connection", () => {
  const publicAddresses = [
    { address: "2606:4700:4700::1111", family: 6 },
    { address: "1.1.1.1", family: 4 },
  ];

  it("returns exactly the addresses that it checked, from one resolution", async () => {
    const resolutions: string[] = [];
    const lookup = createHookLookup({
      allowPrivateAddresses: false,
      resolve: async (hostname) => {
        resolutions.push(hostname);
        return resolutions.length === 1 ? publicAddresses : [{ address: "127.0.0.1", family: 4 }];
      },
    });

    expect(await run(lookup, { all: true })).toEqual([publicAddresses, undefined]);
    expect(resolutions).toEqual(["hook.example"]);
  });

  it("returns the first address to a caller that wants one", async () => {
    const lookup = createHookLookup({ allowPrivateAddresses: false, resolve: async () => publicAddresses });

    expect(await run(lookup, {})).toEqual(["2606:4700:4700::1111", 6]);
  });

  it("refuses a name with any private address, and reveals only the kind of the address", async () => {
    const lookup = createHookLookup({
      allowPrivateAddresses: false,
      resolve: async () => [...publicAddresses, { address: "10.0.0.5", family: 4 }],
    });

    await expect(run(lookup, { all: true })).rejects.toThrowErrorMatchingInlineSnapshot(
      `[AddressRefusedError: The name hook.example leads to a private address, and hooks are sent to public addresses only; the server's operator can allow others.]`,
    );
  });

  it("returns private addresses if they are allowed", async () => {
    const addresses = [{ address: "10.0.0.5", family: 4 }];
    const lookup = createHookLookup({ allowPrivateAddresses: true, resolve: async () => addresses });

    expect(await run(lookup, { all: true })).toEqual([addresses, undefined]);
  });

  it("reports that a name has no address, or that the name servers did not answer", async () => {
    const fail = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));
    const lookUp = (resolve: () => Promise<LookupAddress[]>) =>
      run(createHookLookup({ allowPrivateAddresses: false, resolve }), { all: true });

    await expect(lookUp(fail("ENOTFOUND"))).rejects.toThrow(new NameError("hook.example"));
    await expect(lookUp(async () => [])).rejects.toThrow("The name hook.example could not be resolved.");
    await expect(lookUp(fail("EAI_AGAIN"))).rejects.toThrow(
      "The name hook.example could not be resolved: the name servers did not answer.",
    );
  });

  it("resolves the names of this machine with the resolver of the system", async () => {
    const lookup = createHookLookup({ allowPrivateAddresses: true });

    expect(await run(lookup, {}, "localhost")).toEqual([
      expect.stringMatching(/^(127\.|::1)/),
      expect.any(Number),
    ]);
  });

  function run(
    lookup: ReturnType<typeof createHookLookup>,
    options: LookupOptions,
    hostname = "hook.example",
  ): Promise<[string | LookupAddress[], number | undefined]> {
    return new Promise((resolve, reject) => {
      lookup(hostname, options, (error, address, family) =>
        error ? reject(error) : resolve([address, family]),
      );
    });
  }
});

describe("a refusal", () => {
  it.each([
    ["10.0.0.5", "The address 10.0.0.5 is private,"],
    ["[::1]", "The address ::1 is loopback,"],
    ["169.254.169.254", "The address 169.254.169.254 is link-local,"],
    ["localhost", "The name localhost means this machine,"],
  ])("of %s says why, and who can allow it", (host, reason) => {
    expect(new AddressRefusedError(host).message).toBe(
      `${reason} and hooks are sent to public addresses only; the server's operator can allow others.`,
    );
  });
});
