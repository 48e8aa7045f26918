import { wrapProse } from "./fit-text.ts";
import { loadPaint } from "./screen.ts";
import { toVisible } from "./text.ts";

/** An error as it is told: what failed, every violated field, what to do, and under which id the log knows it. */
export interface ErrorView {
  title: string;
  errors: readonly { code: string; detail: string; field: string | null }[];
  hint: string | null;
  requestId: string | null;
}

/** How an error is drawn; `columns` where it is on a terminal. */
interface ErrorLook {
  colour: boolean;
  columns?: number;
}

/** The lines on stderr for an error (docs/command-line.md, "Errors and exit codes"), with their line ends. */
export async function formatError(error: ErrorView, options: ErrorLook): Promise<string> {
  const { alarm, faint } = await loadPaint(options.colour);
  const columns = options.columns ?? Number.POSITIVE_INFINITY;
  const draw = (label: string, paint: typeof alarm, text: string) =>
    // The label is coloured once the lines are broken: its colour has no width.
    wrapProse(`${label} ${text}`, columns, { hang: "  " }).join("\n").replace(label.trim(), paint);
  const lines = [
    draw("error:", alarm, toVisible(error.title)),
    ...error.errors.map((violation) => draw("  why:", faint, toDetail(violation))),
  ];
  if (error.hint) lines.push(draw("  fix:", faint, toVisible(error.hint)));
  if (error.requestId) lines.push(draw("  request id:", faint, toVisible(error.requestId)));
  return lines.map((line) => `${line}\n`).join("");
}

// The model's name says nothing to people, and a detail that names its field needs no second mention.
function toDetail({ detail, field }: { detail: string; field: string | null }): string {
  const path = field?.replace(/^[A-Z]\w*Model(?:\.|$)/, "");
  const told = detail.replace(/^[A-Z]\w*Model\./, "");
  const isNamed = !path || told.includes(path) || told.includes(`--${path.replaceAll("_", "-")}`);
  return toVisible(isNamed ? told : `${path}: ${told}`);
}
