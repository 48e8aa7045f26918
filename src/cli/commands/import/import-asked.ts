import type { ColumnOptions } from "../../../sync/rows/match-columns.ts";
import type { Encoding } from "../../../sync/rows/open-text.ts";
import type { Settings } from "../../settings.ts";
import type { SheetMap } from "./map-file.ts";

export interface ImportAsked {
  settings: Settings;
  /** From a map file, overridden by options. */
  sheet: SheetMap;
  /** Stores the detected columns and the answers. */
  saveMap: string | null;
  columns: Pick<ColumnOptions, "ignoresUnknown" | "words">;
  createsWithoutKey: boolean;
  delimiter: string | null;
  encoding: Encoding;
  isRaw: boolean;
  key: string | undefined;
  location: string | undefined;
  makesEvents: boolean;
  planOnly: boolean;
  saysYes: boolean;
}
