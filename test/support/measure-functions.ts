import { parseAst } from "rolldown/parseAst";

/** A function of a source file, and how much a reader must keep in mind to follow it. */
export interface MeasuredFunction {
  /** The name that it is declared, assigned or passed under. */
  name: string;
  /** Where it begins, from 1. */
  line: number;
  /** The lines from its first to its last, less those of its table and of the members that it returns. */
  lines: number;
  /** McCabe's cyclomatic complexity: one, and one more for each way that the control flow may take. */
  complexity: number;
}

/**
 * Measures each function of a TypeScript source, those within others too. A function's complexity counts its own
 * branches only. Its lines include the functions within it, with two exceptions, because a reader looks an entry up
 * there and reads nothing in order: the functions that stand as members in the object that it returns (a factory's
 * methods, measured one by one), and a literal of constants (an object or array without a function or a branch).
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

/** What the functions in a node are called after; null when it names nothing. */
function nameOf({ type, id, key }: Node): string | null {
  const naming = type === "VariableDeclarator" || type === "FunctionDeclaration" ? id : key;
  return isNode(naming) && typeof naming.name === "string" ? naming.name : null;
}

/** The functions that stand as members in the object literals that a function returns. */
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

/** The lines that lie wholly within nodes: the first and the last of each are shared with what is around it. */
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

/** Optional access (`?.`) and the defaults of parameters do not count: the flow goes on where they stand. */
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

/** The line that an offset lies in, from 1. */
function lineAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}
