import type { Board } from "../../../board/board.ts";
import type { Screen } from "../../output/screen.ts";
import { drawBlock, flow, toBlocks } from "./blocks.ts";
import { drawHead, toAcross } from "./draw-head.ts";
import { hasWordsOn } from "./draw-job.ts";
import { drawLegend } from "./job-signs.ts";

export function drawBoard(board: Board, screen: Screen): string[] {
  const blocks = toBlocks(board, screen);
  return [
    ...drawTop(board, screen),
    ...blocks.flatMap(({ head, own, inner }) => [
      "",
      ...head,
      ...flow(
        own.map((block) => drawBlock(block, block.jobs.length, inner)),
        inner.columns,
        screen,
      ),
    ]),
  ];
}

/** The heading, and the legend if states are signs only. */
export function drawTop(board: Board, screen: Screen): string[] {
  const { inner } = toAcross(screen);
  return [
    ...drawHead(board, screen),
    ...(hasWordsOn(inner) || board.totals.jobs === 0 ? [] : drawLegend(screen)),
  ];
}
