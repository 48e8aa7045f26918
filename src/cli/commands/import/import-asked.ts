import type { ColumnOptions } from "../../../sync/rows/match-columns.ts";
import type { Encoding } from "../../../sync/rows/open-text.ts";
import type { Settings } from "../../settings.ts";
import type { SheetMap } from "./map-file.ts";

/** The arguments of an import. */
export interface ImportAsked {
  settings: Settings;
  /** The format of the sheet: from a map file, overridden by options. */
  sheet: SheetMap;
  /** The file that saves the detected columns and the answers. */
  saveMap: string | null;
  columns: Pick<ColumnOptions, "ignoresUnknown" | "words">;
  createsWithoutKey: boolean;
  /** The separator of CSV; null detects it. */
  delimiter: string | null;
  encoding: Encoding;
  /** In CSV, an apostrophe before a formula is part of the text. */
  isRaw: boolean;
  /** The field that identifies records, if it is not the default of the noun. */
  key: string | undefined;
  location: string | undefined;
  makesEvents: boolean;
  planOnly: boolean;
  saysYes: boolean;
}
