import { type JobListDocument, layOutJobList } from "./job-list-layout.ts";
import { makePdf } from "./make-pdf.ts";

export type { JobListDocument } from "./job-list-layout.ts";
export type { JobListRow } from "./job-row.ts";

/**
 * Renders a job list as a PDF. Nothing is cut, no row is split that fits on a page, and the same list gives
 * the same bytes. `fonts` are files of further fonts, tried in order for characters that the embedded ones
 * lack; throws `invalid_format` for one that cannot be used.
 */
export async function renderJobListPdf(
  list: JobListDocument,
  { fonts = [] }: { fonts?: readonly string[] } = {},
): Promise<Buffer> {
  const { paper, printedOn, truckName } = list;
  const options = { fonts, paper, printedOn, title: `Jobs of ${truckName}` };
  const { bytes } = await makePdf(options, (sheet) => [{ name: null, pages: layOutJobList(list, sheet) }]);
  return bytes;
}
