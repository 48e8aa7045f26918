import type { TimeView } from "../../../local-time/show-time.ts";
import type { Plan } from "../../../sync/plan.ts";
import type { RowTally } from "../../../sync/rows/read-cell.ts";
import type { Row, RowFile } from "../../../sync/rows/row-file.ts";
import type { SyncTarget } from "../../../sync/target.ts";
import type { Settings } from "../../settings.ts";
import type { ShownPace } from "./pace.ts";

/** An import whose file is read and whose records are found. */
export interface ImportRun {
  file: RowFile;
  /** The typed path; `-` for standard input. */
  fileName: string;
  keyOf(row: Row): string;
  locationId: number;
  noun: string;
  pace: ShownPace;
  plan(row: Row): Plan;
  planOnly: boolean;
  saysYes: boolean;
  settings: Settings;
  /** The corrections of values. */
  tally: RowTally;
  target: SyncTarget;
  /** The format of times in messages; null if the file uses the API format. */
  times: TimeView | null;
}
