import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { countCommon, isCommon, loadRuler, toCharacters } from "../../../src/cli/output/ruler.ts";

describe("the ruler", () => {
  test("agrees with string-width on every character that it counts itself", () => {
    const all = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code));
    const common = all.filter(isCommon);
    expect(common.length).toBeGreaterThan(30_000);
    expect(common.filter((char) => countCommon(char) !== stringWidth(char))).toEqual([]);
  });

  test.each([
    ["Müller – “Söhne” ©", 18],
    ["上海 トラック 서울", 18],
    ["👩‍🔧🇫🇷❤️", 6],
    ["e\u0301", 1],
    ["ภูมิใจ", 4],
    ["\x1b[31mred\x1b[39m", 3],
    ["\x1b[31m上海\x1b[39m👩‍🔧", 6],
  ])("counts %j", async (text, columns) => {
    const widthOf = await loadRuler(JSON.stringify([text]));
    expect(widthOf(text)).toBe(columns);
  });

  test("is ready for characters that the JSON writes as escapes", async () => {
    const widthOf = await loadRuler('["\\ud83d\\ude9b"]');
    expect(widthOf("🚛")).toBe(2);
  });

  test("takes an emoji, or a letter with its marks, for one character", () => {
    expect(toCharacters("a👩‍🔧e\u0301")).toEqual(["a", "👩‍🔧", "e\u0301"]);
    expect(toCharacters("上海")).toEqual(["上", "海"]);
  });
});
