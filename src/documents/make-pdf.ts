import { buffer } from "node:stream/consumers";
import PDFDocument from "pdfkit";
import { type Timestamp, toEpochMs } from "../runtime/clock.ts";
import type { BoxMark, FillMark, Mark, PathMark, RuleMark, TextMark } from "./block.ts";
import { openFonts } from "./fonts.ts";
import { countMissing } from "./pages.ts";
import { type Paper, paperSizes, type Sheet, toSheet } from "./sheet.ts";

export interface PdfOptions {
  title: string;
  printedOn: Timestamp;
  paper: Paper;
  /** Extra font files, tried in order for characters that the embedded fonts lack. */
  fonts: readonly string[];
}

/** `name` is the entry in the PDF's outline; null adds none. */
export interface Chapter {
  name: string | null;
  pages: readonly (readonly Mark[])[];
}

export interface MadePdf {
  bytes: Buffer;
  /** The number of pages with boxes in place of missing characters. */
  lackingPages: number;
}

/** The same input gives the same bytes. Throws `invalid_format` for an unusable font. */
export async function makePdf(
  { fonts: fontFiles, paper, printedOn, title }: PdfOptions,
  layOut: (sheet: Sheet) => Iterable<Chapter>,
): Promise<MadePdf> {
  const document = new PDFDocument({
    size: [...paperSizes[paper]],
    margin: 0,
    autoFirstPage: false,
    pdfVersion: "1.7",
    lang: "en",
    displayTitle: true,
    // pdfkit computes the file id from these. By default it uses the machine's clock.
    info: { Title: title, CreationDate: new Date(toEpochMs(printedOn)) },
  });
  const fonts = await openFonts(document, fontFiles);
  let lackingPages = 0;
  for (const { name, pages } of layOut(toSheet(fonts, paper))) {
    for (const [index, page] of pages.entries()) {
      document.addPage();
      if (index === 0 && name !== null) document.outline.addItem(name);
      if (countMissing(page) > 0) lackingPages++;
      for (const mark of page) draw(document, mark);
    }
  }
  document.end();
  return { bytes: await buffer(document), lackingPages };
}

function draw(document: PDFKit.PDFDocument, mark: Mark): void {
  if (mark.kind === "text") drawText(document, mark);
  else if (mark.kind === "rule") drawRule(document, mark);
  else if (mark.kind === "box") drawBox(document, mark);
  else if (mark.kind === "path") drawPath(document, mark);
  else drawFill(document, mark);
}

function drawText(document: PDFKit.PDFDocument, { x, top, height, style, runs }: TextMark): void {
  // All sizes with the same leading share a baseline, so a small label aligns with its value.
  const baseline = top + 0.78 * height;
  document.fillColor(style.color).fontSize(style.size);
  for (const run of runs) {
    document.font(run.face).text(run.text, x + run.x, baseline, {
      lineBreak: false,
      baseline: "alphabetic",
      // Without `features`, even empty, pdfkit lays out each word alone and does not reorder a phrase.
      features: run.rightToLeft ? [] : undefined,
    });
  }
}

function drawRule(document: PDFKit.PDFDocument, { x, top, height, width }: RuleMark): void {
  document.rect(x, top, width, height).fill("black");
}

function drawBox(document: PDFKit.PDFDocument, { x, top, height }: BoxMark): void {
  const lineWidth = 1.5;
  const side = height - lineWidth;
  document
    .lineWidth(lineWidth)
    .rect(x + lineWidth / 2, top + lineWidth / 2, side, side)
    .stroke("black");
}

function drawPath(document: PDFKit.PDFDocument, { color, points, thickness, top, x: left }: PathMark): void {
  const [first, ...rest] = points;
  if (!first) return;
  document.moveTo(left + first.x, top + first.y);
  for (const { x, y } of rest) document.lineTo(left + x, top + y);
  document.lineWidth(thickness).lineJoin("round").stroke(color);
}

function drawFill(
  document: PDFKit.PDFDocument,
  { border, color, height, radius, top, width, x }: FillMark,
): void {
  document.lineWidth(0.75).roundedRect(x, top, width, height, radius).fillAndStroke(color, border);
}
