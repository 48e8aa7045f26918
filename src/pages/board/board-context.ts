import type { Signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { BoardJob } from "../../board/board.ts";
import type { BoardActs } from "./act/doing.ts";
import type { Editing } from "./edit/editing.ts";
import type { Following } from "./state/follow-day.ts";
import type { View } from "./state/view.ts";

/** What is asked for in a window of its own, and of which job. */
export type Asked = { kind: "complete" | "fail" | "job" | "truck"; job: BoardJob } | { kind: "keys" | "new" };

/** What the parts of a board share. */
export interface BoardParts extends BoardActs {
  asked: Signal<Asked | null>;
  editing: Editing;
  following: Following;
  view: Signal<View>;
}

export const BoardContext = createContext<BoardParts | null>(null);

/** The parts of the board that a component stands in. */
export function useBoard(): BoardParts {
  const parts = useContext(BoardContext);
  if (parts) return parts;
  throw new Error("A part of the board stands in a board.");
}
