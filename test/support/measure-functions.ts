import { parseAst } from "rolldown/parseAst";

/** A function of a source file, and how much a reader must keep in mind to follow it. */
export interface MeasuredFunction {
  /** The name that it is declared, assigned or passed under. */
  name: string;
  /** Where it begins, from 1. */
  line: number;
  /** Its lines, without tables of constants and returned members. */
  lines: number;
  /** McCabe's cyclomatic complexity: one, and one more for each way that the control flow may take. */
  complexity: number;
}

/**
 * Measures each function of a TypeScript source, including nested ones. A function's complexity counts only its own
 * branches. Its lines include nested functions, with two exceptions that a reader looks up instead of reading in
 * order: the methods of an object that it returns (measured one by one), and a literal of constants (an object or
 * array without a function or a branch).
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

/** The lines wholly inside of nodes, without each node's first and last line. */
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

/** Optional access (`?.`) and defaults of parameters do not branch the flow. */
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

/** Whether each case of a switch only returns one value that takes no branch of its own: a table in other words. */
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
