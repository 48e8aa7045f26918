import { describe, expect, it } from "vitest";
import { findUrlProblem } from "../../src/models/http-url.ts";

describe("an http or https address", () => {
  it.each([
    "http://example.com",
    "https://example.com:8443/hooks?tenant=1&x=%20",
    "HTTPS://EXAMPLE.COM/",
    "http://10.0.0.5/",
    "http://[2606:4700:4700::1111]:8080/",
    "https://bücher.example/",
    `https://example.com/${"a".repeat(2028)}`,
  ])("may be %s", (text) => {
    expect(findUrlProblem(text)).toBeNull();
  });

  it("may have a non-ASCII host, also after many calls", () => {
    const problems = Array.from({ length: 50_000 }, () => findUrlProblem("https://bücher.example/"));
    expect(new Set(problems)).toEqual(new Set([null]));
  });

  it.each([
    ["", "must start with http:// or https://, followed by a host"],
    ["/hooks", "must start with http:// or https://, followed by a host"],
    ["example.com/hooks", "must start with http:// or https://, followed by a host"],
    ["ftp://example.com/", "must start with http:// or https://, followed by a host"],
    ["file:///etc/passwd", "must start with http:// or https://, followed by a host"],
    ["http:example.com", "must start with http:// or https://, followed by a host"],
    ["http:///example.com", "must start with http:// or https://, followed by a host"],
    ["http://?x", "must start with http:// or https://, followed by a host"],
    ["https://user:pass@example.com/", "must not contain a user name or a password"],
    ["https://@example.com/", "must not contain a user name or a password"],
    ["https://example.com/#part", "must not contain a fragment (#…)"],
    ["https://example.com/#", "must not contain a fragment (#…)"],
    ["http://example.com:0/", "must not have the port 0"],
    ["http://example.com:65536/", "must have a valid host and port, not example.com:65536"],
    ["http://:80/", "must have a valid host and port, not :80"],
    ["http://1.2.3.4.5/", "must have a valid host and port, not 1.2.3.4.5"],
    ["http://[fe80::1%25eth0]/", "must have a valid host and port, not [fe80::1%25eth0]"],
    [" https://example.com/", "must not contain white space, control characters or backslashes"],
    ["https://exam\tple.com/", "must not contain white space, control characters or backslashes"],
    ["https://example.com\\@10.0.0.1/", "must not contain white space, control characters or backslashes"],
    ["https://example.com/\0", "must not contain white space, control characters or backslashes"],
    [`https://example.com/${"a".repeat(2029)}`, "must have at most 2048 characters, not 2049"],
  ])("may not be %j", (text, problem) => {
    expect(findUrlProblem(text)).toBe(problem);
  });
});
