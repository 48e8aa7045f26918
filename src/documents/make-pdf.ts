import { buffer } from "node:stream/consumers";
import PDFDocument from "pdfkit";
import { type Timestamp, toEpochMs } from "../runtime/clock.ts";
import type { Mark } from "./block.ts";
import { draw } from "./draw.ts";
import { openFonts } from "./fonts.ts";
import { countMissing } from "./pages.ts";
import { type Paper, paperSizes, type Sheet, toSheet } from "./sheet.ts";

/** What a document is made of. */
export interface PdfOptions {
  title: string;
  printedOn: Timestamp;
  paper: Paper;
  /** Files of further fonts, tried in order for characters that the embedded ones lack. */
  fonts: readonly string[];
}

/** Pages with the name under which a reader's list of contents has them; null: it has none. */
export interface Chapter {
  name: string | null;
  pages: readonly (readonly Mark[])[];
}

export interface MadePdf {
  bytes: Buffer;
  /** On how many pages boxes stand for characters that no font has. */
  lackingPages: number;
}

/** Makes a PDF of chapters; the same input gives the same bytes. Throws `invalid_format` for a font that cannot be used. */
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
    // pdfkit computes the file's id from these; by default it would take the machine's time.
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
