import toBidi from "bidi-js";

/** The first letter of a paragraph determines its direction. */
export type Direction = "ltr" | "rtl";

export interface Stretch {
  rightToLeft: boolean;
  text: string;
}

const bidi = toBidi();

/** null for a paragraph without right-to-left letters, which needs no reordering. */
export function directionOf(paragraph: string): Direction | null {
  if (!rightToLeftLetter.test(paragraph)) return null;
  const { paragraphs } = bidi.getEmbeddingLevels(paragraph);
  return isOdd(paragraphs[0]?.level ?? 0) ? "rtl" : "ltr";
}

const rightToLeftLetter = /[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}]/u;

/** Isolates a text, so that it keeps its own order: for example a phone number in a Hebrew line. */
export function isolate(text: string): string {
  return `\u2066${text}\u2069`;
}

export function withoutIsolates(text: string): string {
  return text.replace(/[\u2066-\u2069]/gu, "");
}

/** Each run is in reading order. Mirrors right-to-left brackets, because fonts do not. */
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

/** Reverses every sequence of runs at that level or above (rule L2 of UAX 9). */
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
