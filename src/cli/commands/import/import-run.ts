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
  /** As it was named; `-` for standard input. */
  fileName: string;
  keyOf(row: Row): string;
  locationId: number;
  noun: string;
  pace: ShownPace;
  plan(row: Row): Plan;
  planOnly: boolean;
  saysYes: boolean;
  settings: Settings;
  /** What was done to values so that they are understood. */
  tally: RowTally;
  target: SyncTarget;
  /** How times are shown; null where the file holds those of the wire. */
  times: TimeView | null;
}
