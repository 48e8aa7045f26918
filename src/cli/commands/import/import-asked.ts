import type { ColumnOptions } from "../../../sync/rows/match-columns.ts";
import type { Encoding } from "../../../sync/rows/open-text.ts";
import type { Settings } from "../../settings.ts";
import type { SheetMap } from "./map-file.ts";

/** What the command line says of an import. */
export interface ImportAsked {
  settings: Settings;
  /** What the sheet is like: from a map file, and from the options, which win. */
  sheet: SheetMap;
  /** The file that keeps what was found and answered. */
  saveMap: string | null;
  columns: Pick<ColumnOptions, "ignoresUnknown" | "words">;
  createsWithoutKey: boolean;
  /** Between the cells of CSV; null finds out. */
  delimiter: string | null;
  encoding: Encoding;
  /** In CSV, an apostrophe before what a spreadsheet would run is a part of the text. */
  isRaw: boolean;
  /** The field that tells records apart, where it is not the noun's own. */
  key: string | undefined;
  location: string | undefined;
  makesEvents: boolean;
  planOnly: boolean;
  saysYes: boolean;
}
