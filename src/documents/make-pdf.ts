import { buffer } from "node:stream/consumers";
import PDFDocument from "pdfkit";
import { type Timestamp, toEpochMs } from "../runtime/clock.ts";
import type { Mark } from "./block.ts";
import { draw } from "./draw.ts";
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
