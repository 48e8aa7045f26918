import type { OperationName } from "../operations/index.ts";
import { dayTool, readDay } from "./day-tool.ts";
import type { McpTarget } from "./mcp-target.ts";
import { planDayTool, runPlanDay } from "./plan-day-tool.ts";
import type { Given, OperationTool } from "./tools.ts";

/** A tool of its own, which calls several operations. */
export interface BoardTool {
  tool: OperationTool;
  /** A caller of this operation may call the tool. */
  needs: OperationName;
  call: (target: McpTarget, given: Given) => Promise<unknown>;
}

export const boardTools: readonly BoardTool[] = [
  { tool: dayTool, needs: "jobs.list", call: readDay },
  { tool: planDayTool, needs: "trucks.order-jobs", call: runPlanDay },
];
