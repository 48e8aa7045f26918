import { describe, expect, it } from "vitest";
import { defaultRateLimit, parseRateLimit } from "../../../src/cli/commands/serve/serve-options.ts";

describe("--rate-limit", () => {
  it.each([
    ["100", { perSecond: 100, burst: 200 }],
    ["1", { perSecond: 1, burst: 2 }],
    ["10/5", { perSecond: 10, burst: 5 }],
    ["999999/999999", { perSecond: 999_999, burst: 999_999 }],
    ["off", null],
  ])("reads %s", (text, limit) => {
    expect(parseRateLimit(text, "--rate-limit")).toEqual(limit);
  });

  it.each([...["", "0", "-1", "1.5", "1/0", "1/", "/2", "1000000", "1/2/3", "Off", "none"]])(
    "refuses %j",
    (text) => {
      expect(() => parseRateLimit(text, "--rate-limit")).toThrow("--rate-limit must be requests a second");
    },
  );

  it.each([
    ["127.0.0.1", "off"],
    ["127.1.2.3", "off"],
    ["localhost", "off"],
    ["::1", "off"],
    ["0.0.0.0", "100/200"],
    ["::", "100/200"],
    ["192.0.2.7", "100/200"],
    ["127.example.org", "100/200"],
  ])("defaults for a server at %s to %j", (host, limit) => {
    expect(defaultRateLimit({ host, port: 8080 })).toEqual(limit);
  });

  it("also limits loopback behind a proxy", () => {
    const loopback = { host: "127.0.0.1", port: 8080 };
    expect(defaultRateLimit({ ...loopback, socket: "s" })).toBe("100/200");
    expect(defaultRateLimit({ ...loopback, trustedProxy: "10.0.0.0/8" })).toBe("100/200");
  });
});
