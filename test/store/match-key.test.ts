import { describe, expect, it } from "vitest";
import { createRandom } from "../../src/demo/random.ts";
import { createNearness, toMatchKey } from "../../src/store/queries/match-key.ts";

const noLimit = () => ({ left: Number.POSITIVE_INFINITY });

describe("the similarity of texts", () => {
  it("matches any of several texts", () => {
    const isNear = createNearness(["1 elm street", "2 oak street"], 1, noLimit());
    expect(["1 elm street", "2 oak streets", "3 oak street", "2 elm street"].map(isNear)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(["3 fir street", "2 oak", ""].map(isNear)).toEqual([false, false, false]);
  });

  it("stops when its effort is used up", () => {
    const random = createRandom(1);
    const letters = () => Array.from({ length: 400 }, () => random.pick([..."abcdefgh"])).join("");
    const keys = Array.from({ length: 250 }, letters);
    const effort = { left: 1_000_000 };
    const isNear = createNearness(keys, 150, effort);
    expect(Array.from({ length: 2000 }, letters).some(isNear)).toBe(false);
    expect(effort.left).toBeLessThan(0);
    expect(effort.left).toBeGreaterThan(-1_000_000 - 2000 * 250 * 4);
  });

  it("accepts empty texts", () => {
    expect(["", "abc", "abcd"].map(createNearness([""], 3, noLimit()))).toEqual([true, true, false]);
  });
});

describe("the match key of a name or address", () => {
  it("is its own match key", () => {
    for (const text of [
      "Smith & Sons, Inc.",
      "STRAẞE 7",
      "İstanbul",
      "ΐ Ϊ́ ᾳ",
      "ǰ Ｆｕｌｌ　ﬃ",
      "🚛 ☎️ ™",
      "???",
      "№ 5",
    ]) {
      const key = toMatchKey(text);
      expect(toMatchKey(key)).toBe(key);
    }
  });
});
