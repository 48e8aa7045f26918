import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { create, type Font } from "fontkit";
import { failure } from "../errors/errors.ts";
import { describeFileError } from "../errors/file-error.ts";

export type Weight = "regular" | "bold";

export interface Run {
  text: string;
  face: string;
  rightToLeft: boolean;
  /** In points, at font size 1. */
  width: number;
  /** The number of characters that no font has; boxes replace them. */
  missing: number;
}

export interface Fonts {
  /** Splits text of one direction into runs from left to right. Control characters count as missing. */
  toRuns(text: string, weight: Weight, rightToLeft?: boolean): readonly Run[];
}

/** Opens the embedded fonts (DejaVu) and the extra fonts. Throws invalid_format for an unusable font file. */
export async function openFonts(document: PDFKit.PDFDocument, extraPaths: readonly string[]): Promise<Fonts> {
  const regular = await openFace(document, embeddedPath("DejaVuSansCondensed.ttf"));
  const bold = await openFace(document, embeddedPath("DejaVuSansCondensed-Bold.ttf"));
  const extra = await Promise.all(extraPaths.map((path) => openFace(document, path)));
  const faces: Record<Weight, Faces> = {
    regular: [regular, bold, ...extra],
    bold: [bold, regular, ...extra],
  };
  const measured: Record<Weight, Map<string, Run[]>[]> = {
    regular: [new Map(), new Map()],
    bold: [new Map(), new Map()],
  };

  return {
    toRuns(text, weight, rightToLeft = false) {
      const known = measured[weight][Number(rightToLeft)];
      const before = known?.get(text);
      if (before) return before;
      const pieces = splitByFace(text, rightToLeft, faces[weight]);
      const runs = joinRuns(pieces.map((piece) => measure(document, piece)));
      if (rightToLeft) runs.reverse();
      known?.set(text, runs);
      return runs;
    },
  };
}

export function joinRuns(runs: Iterable<Run>): Run[] {
  const joined: Run[] = [];
  for (const run of runs) {
    const last = joined.at(-1);
    if (last?.face === run.face && last.rightToLeft === run.rightToLeft) {
      last.text += run.text;
      last.width += run.width;
      last.missing += run.missing;
    } else {
      joined.push({ ...run });
    }
  }
  return joined;
}

/** At font size 1. */
export function widthOf(runs: readonly Run[]): number {
  return runs.reduce((sum, run) => sum + run.width, 0);
}

type Piece = Omit<Run, "width">;

function measure(document: PDFKit.PDFDocument, piece: Piece): Run {
  return { ...piece, width: document.font(piece.face).fontSize(1).widthOfString(piece.text) };
}

interface Face {
  name: string;
  has(character: string): boolean;
}

type Faces = readonly [Face, ...Face[]];

const require = createRequire(import.meta.url);

function embeddedPath(file: string): string {
  return require.resolve(`dejavu-fonts-ttf/ttf/${file}`);
}

async function openFace(document: PDFKit.PDFDocument, path: string): Promise<Face> {
  try {
    const data = await readFile(path);
    const opened = create(data);
    // pdfkit needs the name of one font of a collection (.ttc). Its fonts differ in style only.
    const member = "fonts" in opened ? opened.fonts[0] : undefined;
    const font = member ?? opened;
    if (!("directory" in font && hasOutlines(font)))
      throw new Error("it holds no outlines that a PDF can embed");
    document.registerFont(path, data, member?.postscriptName);
    return toFace(path, font);
  } catch (cause) {
    const reason = describeFileError(cause, "there is no such file");
    throw failure("invalid_format", `The font file ${path} cannot be used: ${reason}.`, null, cause);
  }
}

function hasOutlines(font: Font): boolean {
  return ["glyf", "CFF ", "CFF2"].some((table) => table in font.directory.tables);
}

function toFace(name: string, font: Font): Face {
  const known = new Map<string, boolean>();
  return {
    name,
    has(character) {
      const answer = known.get(character) ?? canPrint(font, character);
      known.set(character, answer);
      return answer;
    },
  };
}

/** Color fonts have empty outlines, which print nothing. Count those characters as missing. */
function canPrint(font: Font, character: string): boolean {
  const codePoint = character.codePointAt(0) ?? 0;
  if (!font.hasGlyphForCodePoint(codePoint)) return false;
  return blank.test(character) || font.glyphForCodePoint(codePoint).path.commands.length > 0;
}

const blank = /^[\p{Z}\p{M}\p{Default_Ignorable_Code_Point}]$/u;

/** Replaces a missing character. It is narrow, so that it does not look like a checkbox. */
const missingBox = "\u25af";

/** Uses one font if it has all characters; else chooses by grapheme, so that marks stay with their letter. */
function splitByFace(text: string, rightToLeft: boolean, faces: Faces): Piece[] {
  if (text === "") return [];
  if (covers(faces[0], text)) return [{ text, face: faces[0].name, rightToLeft, missing: 0 }];
  return Array.from(graphemes.segment(text)).flatMap(({ segment }): Piece[] => {
    const face = faces.find((candidate) => covers(candidate, segment));
    if (face) return [{ text: segment, face: face.name, rightToLeft, missing: 0 }];
    return Array.from(segment, (character) => toPiece(character, rightToLeft, faces));
  });
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

function toPiece(character: string, rightToLeft: boolean, faces: Faces): Piece {
  const face = faces.find((candidate) => candidate.has(character));
  if (face) return { text: character, face: face.name, rightToLeft, missing: 0 };
  return { text: missingBox, face: faces[0].name, rightToLeft, missing: 1 };
}

function covers(face: Face, text: string): boolean {
  for (const character of text) if (!face.has(character)) return false;
  return true;
}
