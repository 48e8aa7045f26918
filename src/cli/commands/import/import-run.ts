import type { TimeView } from "../../../local-time/show-time.ts";
import type { Plan } from "../../../sync/plan.ts";
import type { RowTally } from "../../../sync/rows/read-cell.ts";
import type { Row, RowFile } from "../../../sync/rows/row-file.ts";
import type { SyncTarget } from "../../../sync/target.ts";
import type { Settings } from "../../settings.ts";
import type { ShownPace } from "./pace.ts";

export interface ImportRun {
  file: RowFile;
  fileName: string;
  keyOf(row: Row): string;
  locationId: number;
  noun: string;
  pace: ShownPace;
  plan(row: Row): Plan;
  planOnly: boolean;
  saysYes: boolean;
  settings: Settings;
  tally: RowTally;
  target: SyncTarget;
  /** null if the file has the API's format. */
  times: TimeView | null;
}
