/** Makes texts comparable. Triggers do the same, so a change needs a migration that refills the index. */

/** Letters that Unicode does not decompose. */
const special: Readonly<Record<string, string>> = {
  Æ: "ae",
  æ: "ae",
  Đ: "d",
  đ: "d",
  Ð: "d",
  ð: "d",
  ı: "i",
  Ĳ: "ij",
  ĳ: "ij",
  Ł: "l",
  ł: "l",
  Ø: "o",
  ø: "o",
  Œ: "oe",
  œ: "oe",
  ß: "ss",
  ẞ: "ss",
  Þ: "th",
  þ: "th",
};

/** Maps é and É to e, ß to ss, Я to я. Omits plain Latin letters. */
export const plainLetters: ReadonlyMap<string, string> = new Map(
  [
    // Latin letters with marks (also Romanian, Vietnamese), Greek, Cyrillic.
    ...[...range(0xc0, 0x17f), ...range(0x1a0, 0x1b0), ...range(0x1cd, 0x21f), ...range(0x1e00, 0x1ef9)],
    ...[...range(0x386, 0x3ab), ...range(0x400, 0x42f)],
  ].flatMap((letter) => {
    const plain = special[letter] ?? letter.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
    return plain === letter || !/\p{L}/u.test(letter) ? [] : [[letter, plain] as const];
  }),
);

/** Characters inside a word, which are removed. */
export const joiners = [
  ...["'", "’", "ʼ", "\u00ad"],
  // Combining marks.
  ...["\u0300", "\u0301", "\u0302", "\u0303", "\u0304", "\u0306", "\u0307", "\u0308", "\u0309", "\u030a"],
  ...["\u030b", "\u030c", "\u031b", "\u0323", "\u0326", "\u0327", "\u0328"],
];

export const separators = [
  ...'!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\t\n\r',
  ...["\u00a0", "\u2009", "\u202f", "·", "–", "—", "‐", "‑", "“", "”", "„", "«", "»", "…", "№"],
];

/** Plain lower-case letters and digits, with spaces between words. */
export function toPlainText(text: string): string {
  return text
    .replace(/[^ -~]/gu, (letter) => plainLetters.get(letter) ?? letter)
    .replace(isJoiner, "")
    .replace(isSeparator, " ")
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    .trim();
}

export function toPlainWords(plain: string): string[] {
  return plain.split(" ").flatMap((word) => (word === "" ? [] : [[...word].slice(0, wordCharsMax).join("")]));
}

/** The digits of a phone number without its extension; empty for other texts. */
export function toDialled(text: string): string {
  const digits = toPlainText(text)
    .replaceAll(" ", "")
    .replace(/[ex].*$/, "");
  return /^\d+$/.test(digits) ? digits : "";
}

export const wordCharsMax = 40;

/** A phone number is found by its last digits: without the area code, and the last four. */
export const phoneEnds = [7, 4];

const isJoiner = toClass(joiners);
const isSeparator = toClass(separators);

function toClass(characters: readonly string[]): RegExp {
  return new RegExp(
    `[${characters.map((character) => `\\u{${character.codePointAt(0)?.toString(16)}}`).join("")}]`,
    "gu",
  );
}

function range(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index));
}
