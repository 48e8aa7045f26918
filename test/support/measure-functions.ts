import { parseAst } from "rolldown/parseAst";

/** A function of a source file, and measures of how hard it is to follow. */
export interface MeasuredFunction {
  /** The name that it is declared, assigned, or passed under. */
  name: string;
  /** Where it begins, from 1. */
  line: number;
  /** Its lines, without tables of constants and returned members. */
  lines: number;
  /** McCabe's cyclomatic complexity: one, plus one per branch. */
  complexity: number;
}

/**
 * Measures each function of a TypeScript source, including nested ones. A function's complexity counts only its own
 * branches. Its lines include nested functions, except two things that a reader looks up instead of reading in order:
 * the methods of a returned object (measured on their own), and literals of constants (objects or arrays without a
 * function or a branch).
 */
export function measureFunctions(source: string, file: string): MeasuredFunction[] {
  const starts = lineStarts(source);
  const measured: MeasuredFunction[] = [];
  const program = parseAst(
    source,
    { lang: file.endsWith("x") ? "tsx" : "ts", sourceType: "module" },
    file,
  ) as unknown as Node;
  visit(program, "(file)", (fn, name) => {
    const line = lineAt(starts, fn.start);
    const skipped = toRanges(starts, [...membersReturnedBy(fn), ...tablesIn(fn)]);
    const lines = lineAt(starts, fn.end) - line + 1 - skipped.size;
    measured.push({ complexity: complexityOf(fn), line, lines, name });
  });
  return measured;
}

/** A node of the syntax tree (ESTree, https://github.com/estree/estree). */
interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

const functionTypes = ["ArrowFunctionExpression", "FunctionDeclaration", "FunctionExpression"];

const isFunction = ({ type, body }: Node) => functionTypes.includes(type) && isNode(body);

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode);
}

/** Calls back for each function below a node, outer ones first. */
function visit(node: Node, name: string, onFunction: (fn: Node, name: string) => void): void {
  const named = nameOf(node) ?? name;
  if (isFunction(node)) onFunction(node, named);
  for (const child of childrenOf(node)) visit(child, named, onFunction);
}

/** The name for the functions in a node, or null. */
function nameOf({ type, id, key }: Node): string | null {
  const naming = type === "VariableDeclarator" || type === "FunctionDeclaration" ? id : key;
  return isNode(naming) && typeof naming.name === "string" ? naming.name : null;
}

/** The functions that are members of returned object literals. */
function membersReturnedBy(fn: Node): Node[] {
  return returnedBy(fn).flatMap((value) =>
    value.type === "ObjectExpression"
      ? (value.properties as Node[]).filter(({ value: member }) => isNode(member) && isFunction(member))
      : [],
  );
}

function returnedBy(fn: Node): Node[] {
  const body = fn.body as Node;
  if (body.type !== "BlockStatement") return [body];
  return (body.body as Node[]).flatMap(({ argument, type }) =>
    type === "ReturnStatement" && isNode(argument) ? [argument] : [],
  );
}

/** The outermost literals of constants within a function. */
function tablesIn(node: Node): Node[] {
  return childrenOf(node).flatMap((child) => (isTable(child) ? [child] : tablesIn(child)));
}

function isTable({ type, elements, properties }: Node): boolean {
  if (type !== "ObjectExpression" && type !== "ArrayExpression") return false;
  const entries = ((type === "ObjectExpression" ? properties : elements) as (Node | null)[]).filter(isNode);
  return entries.every((entry) => {
    const value = entry.type === "Property" ? (entry.value as Node) : entry;
    return value.type === "Literal" || isTable(value);
  });
}

/** The lines inside the nodes, without each node's first and last line. */
function toRanges(starts: readonly number[], nodes: readonly Node[]): Set<number> {
  const lines = new Set<number>();
  for (const { start, end } of nodes) {
    for (let line = lineAt(starts, start) + 1; line < lineAt(starts, end); line += 1) lines.add(line);
  }
  return lines;
}

function complexityOf(fn: Node): number {
  return 1 + childrenOf(fn).reduce((sum, child) => sum + branchesIn(child), 0);
}

function branchesIn(node: Node): number {
  if (isFunction(node)) return 0;
  if (node.type === "SwitchStatement" && isMapping(node)) return branchesIn(node.discriminant as Node);
  return branchesAt(node) + childrenOf(node).reduce((sum, child) => sum + branchesIn(child), 0);
}

/** Optional access (`?.`) and default parameters do not count as branches. */
function branchesAt({ type, operator, test }: Node): number {
  if (type === "SwitchCase") return test === null ? 0 : 1;
  if (type === "AssignmentExpression") return ["&&=", "||=", "??="].includes(String(operator)) ? 1 : 0;
  return branchTypes.includes(type) ? 1 : 0;
}

const branchTypes = [
  "ConditionalExpression",
  "DoWhileStatement",
  "ForInStatement",
  "ForOfStatement",
  "ForStatement",
  "IfStatement",
  "LogicalExpression",
  "WhileStatement",
];

/** Whether each case of a switch only returns a value without a branch, so that the switch is a table. */
function isMapping({ cases }: Node): boolean {
  return (cases as Node[]).every(({ consequent }) => {
    const statements = consequent as Node[];
    return (
      statements.every(({ type }) => type === "ReturnStatement") &&
      statements.every((statement) => branchesIn(statement) === 0)
    );
  });
}

function lineStarts(source: string): number[] {
  return [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];
}

/** The line of an offset, from 1. */
function lineAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}
