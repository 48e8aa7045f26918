import toBidi from "bidi-js";

/** The way in which a paragraph is read, as its first letter says. */
export type Direction = "ltr" | "rtl";

/** Text that is set in one direction. */
export interface Stretch {
  rightToLeft: boolean;
  text: string;
}

const bidi = toBidi();

/** The direction of a paragraph that has letters of right-to-left scripts; null for one that needs no ordering. */
export function directionOf(paragraph: string): Direction | null {
  if (!rightToLeftLetter.test(paragraph)) return null;
  const { paragraphs } = bidi.getEmbeddingLevels(paragraph);
  return isOdd(paragraphs[0]?.level ?? 0) ? "rtl" : "ltr";
}

const rightToLeftLetter = /[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}]/u;

/** A text that keeps its own order whatever stands around it: a telephone number in a Hebrew line, for instance. */
export function isolate(text: string): string {
  return `\u2066${text}\u2069`;
}

/** The text without the marks that isolate parts of it. */
export function withoutIsolates(text: string): string {
  return text.replace(/[\u2066-\u2069]/gu, "");
}

/** Each run is in reading order. Brackets from right to left are mirrored, because fonts do not mirror them. */
export function toStretches(line: string, direction: Direction): Stretch[] {
  const { levels } = bidi.getEmbeddingLevels(line, direction);
  const runs = toRuns(line, levels);
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highest; level > 0; level--) turnRound(runs, level);
  return runs.flatMap(({ level, text }) => {
    const shown = withoutIsolates(isOdd(level) ? mirror(text) : text);
    return shown === "" ? [] : [{ rightToLeft: isOdd(level), text: shown }];
  });
}

interface LevelRun {
  level: number;
  text: string;
}

const isOdd = (level: number) => level % 2 === 1;

function toRuns(line: string, levels: Uint8Array): LevelRun[] {
  const runs: LevelRun[] = [];
  for (const [index, unit] of line.split("").entries()) {
    const level = levels[index] ?? 0;
    const last = runs.at(-1);
    if (last?.level === level) last.text += unit;
    else runs.push({ level, text: unit });
  }
  return runs;
}

/** Reverses every sequence of runs of that level or a higher one (rule L2). */
function turnRound(runs: LevelRun[], level: number): void {
  let start = 0;
  while (start < runs.length) {
    let end = start;
    while ((runs[end]?.level ?? -1) >= level) end++;
    runs.splice(start, end - start, ...runs.slice(start, end).reverse());
    start = Math.max(end, start + 1);
  }
}

const mirror = (text: string) =>
  Array.from(text, (character) => bidi.getMirroredCharacter(character) ?? character).join("");
