import type { BoxMark, FillMark, Mark, PathMark, RuleMark, TextMark } from "./block.ts";

export function draw(document: PDFKit.PDFDocument, mark: Mark): void {
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
