import { buffer } from "node:stream/consumers";
import PDFDocument from "pdfkit";
import { toEpochMs } from "../runtime/clock.ts";
import type { BoxMark, Mark, RuleMark, TextMark } from "./block.ts";
import { openFonts } from "./fonts.ts";
import { type JobListDocument, layOutJobList, paperSizes } from "./job-list-layout.ts";

export type { JobListDocument, JobListRow } from "./job-list-layout.ts";

/**
 * Renders a job list as a PDF. Nothing is cut, no row is split that fits on a page, and the same list gives
 * the same bytes. `fonts` are files of further fonts, tried in order for characters that the embedded ones
 * lack; throws `invalid_format` for one that cannot be used.
 */
export async function renderJobListPdf(
  list: JobListDocument,
  options: { fonts?: readonly string[] } = {},
): Promise<Buffer> {
  const document = new PDFDocument({
    size: [...paperSizes[list.paper]],
    margin: 0,
    autoFirstPage: false,
    pdfVersion: "1.7",
    lang: "en",
    displayTitle: true,
    // pdfkit computes the file's id from these; by default it would take the machine's time.
    info: { Title: `Jobs of ${list.truckName}`, CreationDate: new Date(toEpochMs(list.printedOn)) },
  });
  const fonts = await openFonts(document, options.fonts ?? []);
  for (const page of layOutJobList(list, fonts)) {
    document.addPage();
    for (const mark of page) draw(document, mark);
  }
  document.end();
  return buffer(document);
}

function draw(document: PDFKit.PDFDocument, mark: Mark): void {
  if (mark.kind === "text") drawText(document, mark);
  else if (mark.kind === "rule") drawRule(document, mark);
  else drawBox(document, mark);
}

function drawText(document: PDFKit.PDFDocument, { x, top, height, style, runs }: TextMark): void {
  // All sizes of one leading share a baseline, so that a small label stands level with its value.
  const baseline = top + 0.78 * height;
  document.fillColor(style.color).fontSize(style.size);
  for (const run of runs) {
    document.font(run.face).text(run.text, x + run.x, baseline, {
      lineBreak: false,
      baseline: "alphabetic",
      // Without features, even none, pdfkit lays out word by word, and a phrase would not be turned as a whole.
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
