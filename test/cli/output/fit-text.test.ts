import stringWidth from "string-width";
import { describe, expect, it, test } from "vitest";
import {
  cutStart,
  cutText,
  packLines,
  toCharacters,
  widthOf,
  wrapProse,
  wrapText,
} from "../../../src/cli/output/fit-text.ts";

const texts = [
  "Müller – “Söhne” ©",
  "上海 トラック 서울",
  "👩‍🔧🇫🇷❤️",
  "e\u0301 Łódź Żwir & Piach – Ω",
  "ภูมิใจ รีไซเคิล",
  "مقاولات النيل",
  "● done ✔ ▏█ ░ ❯ … → −",
];

describe("the width of a text", () => {
  it.each(texts)("equals the width by string-width: %s", (text) => {
    expect(widthOf(text)).toBe(stringWidth(text));
    expect(widthOf(`\x1b[31m${text}\x1b[39m`)).toBe(stringWidth(text));
  });

  it.each(texts)("is within the limit of a cut and of a wrapped text: %s", (text) => {
    for (const columns of [1, 2, 3, 7, 12]) {
      expect(stringWidth(cutText(text, columns)), `${columns}`).toBeLessThanOrEqual(columns);
      expect(stringWidth(cutStart(text, columns)), `${columns}`).toBeLessThanOrEqual(columns);
    }
    for (const line of wrapText(text, 7)) expect(stringWidth(line)).toBeLessThanOrEqual(7);
  });
});

test("Latin, Greek, and Cyrillic have the widths of string-width", () => {
  const letters = Array.from({ length: 0x0530 }, (_, code) => String.fromCharCode(code)).filter((letter) =>
    /\p{L}/u.test(letter),
  );
  expect(letters.filter((letter) => widthOf(letter) !== stringWidth(letter))).toEqual([]);
});

test("a shortened text keeps its more specific end", () => {
  expect(cutText("locations/1/jobs", 10)).toBe("locations…");
  expect(cutStart("locations/1/jobs", 10)).toBe("…ns/1/jobs");
});

test("an emoji, or a letter with its marks, is one character", () => {
  expect(toCharacters("a👩‍🔧e\u0301上海")).toEqual(["a", "👩‍🔧", "e\u0301", "上", "海"]);
});

test("wrapped text keeps quoted parts on one line, and its margin", () => {
  const prose = "  fix: Write `dispatch-cli jobs list` to see them, or ask.";
  expect(wrapProse(prose, 32, { hang: "  " })).toEqual([
    "  fix: Write",
    "    `dispatch-cli jobs list` to",
    "    see them, or ask.",
  ]);
  expect(wrapProse(prose, 12)).toEqual([prose]);
});

test("a list of parts breaks only between parts", () => {
  expect(packLines(["one two", "three", "four"], " · ", 16)).toEqual(["one two · three", "four"]);
});
