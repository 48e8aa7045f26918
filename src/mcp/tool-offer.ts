import { isAllowed } from "../core/call-operation.ts";
import { accessOf, isDocument, type Operation, rolesOf } from "../core/operation.ts";
import { nearestWord } from "../errors/nearest.ts";
import type { ApiVersion } from "../models/api-versions.ts";
import { type BoardTool, boardTools } from "./board-tools.ts";
import { toolName } from "./toolsets.ts";

export interface ToolScope {
  allowsWrites: boolean;
  isChosen: (operation: Pick<Operation, "name">) => boolean;
  roles: readonly string[];
  version: ApiVersion;
  /** How a caller of this server gets other tools, for the end of a sentence. */
  waysOn: { tools: string; writes: string };
}

export interface OfferedTools {
  ofBoard: readonly BoardTool[];
  /** By the names of their tools. */
  operations: ReadonlyMap<string, Operation>;
  /** Why this server does not offer a tool of that name. */
  whyNot(name: string): string;
}

/**
 * The operations that are chosen, allowed for the roles, have JSON answers at the version, and, without writes, only
 * read.
 */
export function offerTools(operations: readonly Operation[], scope: ToolScope): OfferedTools {
  const { allowsWrites, isChosen, roles, version } = scope;
  const known = operations.filter(
    ({ lifetime, output, ...operation }) =>
      accessOf(operation) === null && !isDocument(output) && (!lifetime || version <= lifetime.until),
  );
  const mayCall = ({ effect, ...operation }: Operation) =>
    isAllowed(roles, rolesOf(operation)) && (allowsWrites || effect === "read");
  const byName = (some: readonly Operation[]) =>
    new Map(some.map((operation) => [toolName(operation), operation]));
  const all = byName(known);
  const neededBy = ({ needs }: BoardTool) => all.get(toolName({ name: needs }));
  const own = byName(known.filter((operation) => isChosen(operation) && mayCall(operation)));
  return {
    ofBoard: boardTools.filter((one) => {
      const needed = neededBy(one);
      return isChosen(one.tool) && needed !== undefined && mayCall(needed);
    }),
    operations: own,
    whyNot(name) {
      const ofBoard = boardTools.find(({ tool }) => tool.name === name);
      const operation = ofBoard ? neededBy(ofBoard) : all.get(name);
      if (operation) return whyWithheld(name, operation, scope);
      const shown = JSON.stringify(name.slice(0, 100));
      const names = [...boardTools.map(({ tool }) => tool.name), ...all.keys()];
      const near = nearestWord(name, names) ?? names.find((one) => one.split("_").includes(name));
      return `There is no tool ${shown}.${near === undefined ? "" : ` Did you mean ${near}?`}`;
    },
  };
}

function whyWithheld(name: string, operation: Operation, { allowsWrites, roles, waysOn }: ToolScope): string {
  const needed = rolesOf(operation);
  if (!isAllowed(roles, needed))
    return `The tool ${name} needs one of the roles ${needed.join(", ")}; the caller has ${roles.join(", ") || "none"}.`;
  if (operation.effect !== "read" && !allowsWrites)
    return `The tool ${name} writes, and this server offers only tools that read; ${waysOn.writes}.`;
  return `The tool ${name} exists, but this server does not offer it; ${waysOn.tools}.`;
}
