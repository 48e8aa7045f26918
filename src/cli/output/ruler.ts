import { stripVTControlCharacters } from "node:util";

/** How many columns of a terminal a text takes; wide characters take two, colours none. */
export type Ruler = (text: string) => number;

// string-width adds three quarters of Node's own start, half of it for emoji, so the characters of most texts are
// counted here, and must be counted as it does (a test compares): one column for Latin, Greek, Cyrillic and the
// punctuation drawn here, two for CJK, kana, hangul and full-width forms.
const narrow =
  " -~\u00a1-\u00ac\u00ae-\u02ff\u0391-\u03a1\u03a3-\u03ff\u0400-\u0482\u048a-\u052f\u2010-\u2027\u20ac";
const wide = "\u3000-\u3029\u3041-\u3096\u309b-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60";
const commonText = new RegExp(`^[${narrow}${wide}]*$`);
const rareInJson = new RegExp(`[^${narrow}${wide}\\r\\n\\t]|\\\\u`);
const wideCharacters = new RegExp(`[${wide}]`, "g");

/** The ruler for what may stand in `json`; string-width is loaded only when it holds rarer characters. */
export async function loadRuler(json: string): Promise<Ruler> {
  if (!rareInJson.test(json)) return countCommon;
  const { default: stringWidth } = await import("string-width");
  return (text) => (isCommon(text) ? countCommon(text) : stringWidth(text));
}

/** The characters of a text as people count them: an emoji, or a letter with its marks, is one. */
export function toCharacters(text: string): string[] {
  if (isCommon(text)) return text.split("");
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
}

/** Whether `countCommon` knows every character of a text without colours. */
export function isCommon(text: string): boolean {
  return commonText.test(text);
}

/** The columns of a common text. */
export function countCommon(text: string): number {
  const plain = text.includes("\x1b") ? stripVTControlCharacters(text) : text;
  return plain.length + (plain.match(wideCharacters)?.length ?? 0);
}
