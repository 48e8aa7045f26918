import type { Signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { BoardJob } from "../../board/board.ts";
import type { FoundDriver } from "../../board/driver-user.ts";
import type { ActionParts, PlannedUndo } from "./actions/actions.ts";
import type { Target } from "./actions/move-job.ts";
import type { Outbox } from "./actions/outbox.ts";
import type { CardForms } from "./forms/job-form.ts";
import type { FoundCustomer } from "./forms/new-job.ts";
import type { Following } from "./state/follow-day.ts";
import type { View } from "./state/view.ts";

export type OpenDialog =
  | { kind: "complete" | "fail" | "job"; job: BoardJob }
  | { kind: "truck" | "when"; jobs: readonly BoardJob[] }
  | ({ kind: "place"; job: BoardJob; jobs: readonly BoardJob[]; other: BoardJob } & Record<
      "byTime" | "target",
      Target
    >)
  | { kind: "link"; driver: FoundDriver & { name: string } }
  | { kind: "new"; customer?: FoundCustomer }
  | { kind: "search" }
  | ({ kind: "undo" } & PlannedUndo);

export interface BoardParts extends ActionParts {
  cardForms: CardForms;
  /** The ids of the selected jobs. */
  selected: Signal<ReadonlySet<number>>;
  dialog: Signal<OpenDialog | null>;
  outbox: Outbox;
  following: Following;
  view: Signal<View>;
}

export const BoardContext = createContext<BoardParts | null>(null);

export function useBoard(): BoardParts {
  const parts = useContext(BoardContext);
  if (parts) return parts;
  throw new Error("useBoard needs a BoardContext.");
}
