import { describe, expect, it } from "vitest";
import { createLoginAttempts } from "../../src/core/login-attempts.ts";
import { DispatchError } from "../../src/errors/errors.ts";

function openAttempts() {
  const clock = { ms: 5000 };
  const attempts = createLoginAttempts(() => clock.ms);
  /** Returns the seconds to wait, or 0 if the attempt is allowed. */
  const count = (address: string) => {
    try {
      attempts.count(address);
      return 0;
    } catch (error) {
      if (error instanceof DispatchError && error.code === "too_many_failed_logins")
        return error.retryAfterSeconds;
      throw error;
    }
  };
  return { clock, count };
}

const tries = (made: number, count: () => number | null) => Array.from({ length: made }, count);

describe("an address", () => {
  it("has ten attempts within any minute; the next is due when the first of them is a minute old", () => {
    const { clock, count } = openAttempts();
    expect(count("203.0.113.5")).toBe(0);
    clock.ms += 20_000;
    expect(tries(10, () => count("203.0.113.5"))).toEqual([...tries(9, () => 0), 40]);
    clock.ms += 39_999;
    expect(count("203.0.113.5")).toBe(1);
    clock.ms += 1;
    expect(tries(2, () => count("203.0.113.5"))).toEqual([0, 20]);
  });

  it("waits no longer after many refused attempts", () => {
    const { clock, count } = openAttempts();
    tries(1000, () => count("203.0.113.5"));
    clock.ms += 60_000;
    expect(tries(11, () => count("203.0.113.5"))).toEqual([...tries(10, () => 0), 60]);
  });

  it.each([
    ["a different one of IPv4", "203.0.113.5", "203.0.113.6", false],
    ["the same IPv4 address in IPv6 form", "203.0.113.5", "::ffff:203.0.113.5", true],
    ["a different one of the same /64", "2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true],
    ["one of a different /64", "2001:db8:1:2::1", "2001:db8:1:3::1", false],
    ["the same with a zone", "fe80::1", "fe80::2%eth0", true],
    ["none", "203.0.113.5", "", false],
  ])("(%s) counts together with the first, or separately", (_, first, second, isSame) => {
    const { count } = openAttempts();
    tries(10, () => count(first));
    expect(count(second)).toBe(isSame ? 60 : 0);
  });

  it("is forgotten when 10,000 others tried after it, so that memory is bounded", () => {
    const { count } = openAttempts();
    tries(10, () => count("203.0.113.5"));
    for (let other = 0; other < 10_000; other++) count(`10.0.${other >> 8}.${other & 255}`);
    expect(count("203.0.113.5")).toBe(0);
  });
});
