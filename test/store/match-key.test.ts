import { describe, expect, it } from "vitest";
import { createRandom } from "../../src/demo/random.ts";
import { createNearness, toMatchKey } from "../../src/store/queries/match-key.ts";

/** The textbook's Levenshtein distance, in code points: slow, and easy to check by eye. */
function distanceOf(a: string, b: string): number {
  const [rows, columns] = [[...a], [...b]];
  let previous = columns.map((_, index) => index + 1);
  for (const [row, letter] of rows.entries()) {
    let corner = row;
    let left = row + 1;
    previous = previous.map((above, column) => {
      const changed = corner + (letter === columns[column] ? 0 : 1);
      corner = above;
      left = Math.min(changed, above + 1, left + 1);
      return left;
    });
  }
  return previous.at(-1) ?? rows.length;
}

const noLimit = () => ({ left: Number.POSITIVE_INFINITY });

describe("nearness of texts", () => {
  /** A fixed sequence, so that a failure can be met again. */
  let state = 42;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) % below;
  };
  const letters = ["a", "b", "c", "1", " ", "ß", "語", "😀", "😁", "𠮷"];
  const word = (lengthMax: number) =>
    Array.from({ length: random(lengthMax + 1) }, () => letters[random(letters.length)]).join("");
  /** The text after a few random edits. */
  const edited = (text: string, edits: number) => {
    const points = [...text];
    for (let edit = 0; edit < edits; edit++)
      points.splice(
        random(points.length + 1),
        random(2),
        ...(random(2) === 0 ? [letters[random(letters.length)] ?? ""] : []),
      );
    return points.join("");
  };

  it("agrees with the distance for texts of any length, letters and number of edits", () => {
    let near = 0;
    for (let round = 0; round < 4000; round++) {
      const [one, edits] = [word(round % 80), random(8)];
      const other = round % 2 === 0 ? edited(one, random(10)) : word(round % 80);
      const isNear = distanceOf(one, other) <= edits;
      if (isNear) near++;
      expect([one, other, edits, createNearness([one], edits, noLimit())(other)]).toEqual([
        one,
        other,
        edits,
        isNear,
      ]);
    }
    expect(near).toBeGreaterThan(1000);
  });

  it("is that to any of several texts", () => {
    const isNear = createNearness(["1 elm street", "2 oak street"], 1, noLimit());
    expect(["1 elm street", "2 oak streets", "3 oak street", "2 elm street"].map(isNear)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(["3 fir street", "2 oak", ""].map(isNear)).toEqual([false, false, false]);
  });

  it("stops when its effort is used up, and says so", () => {
    const random = createRandom(1);
    const letters = () => Array.from({ length: 400 }, () => random.pick([..."abcdefgh"])).join("");
    const keys = Array.from({ length: 250 }, letters);
    const effort = { left: 1_000_000 };
    const isNear = createNearness(keys, 150, effort);
    expect(Array.from({ length: 2000 }, letters).some(isNear)).toBe(false);
    expect(effort.left).toBeLessThan(0);
    expect(effort.left).toBeGreaterThan(-1_000_000 - 2000 * 250 * 4);
  });

  it("takes texts without any letters", () => {
    expect(["", "abc", "abcd"].map(createNearness([""], 3, noLimit()))).toEqual([true, true, false]);
  });
});

describe("the text that names and addresses are compared by (OP-33)", () => {
  it("is its own text: taking it twice changes nothing", () => {
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
