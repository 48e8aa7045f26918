import { wrapProse } from "./fit-text.ts";
import { loadPaint } from "./screen.ts";
import { toVisible } from "./text.ts";

export interface ErrorView {
  title: string;
  errors: readonly { code: string; detail: string; field: string | null }[];
  hint: string | null;
  requestId: string | null;
}

/** `columns` is set on a terminal. */
interface ErrorLook {
  color: boolean;
  columns?: number;
}

/** See "Errors and exit codes" in docs/command-line.md. */
export async function formatError(error: ErrorView, options: ErrorLook): Promise<string> {
  const { alarm, faint } = await loadPaint(options.color);
  const columns = options.columns ?? Number.POSITIVE_INFINITY;
  const draw = (label: string, paint: typeof alarm, text: string) =>
    // Colored after wrapping: escape sequences would count as width.
    wrapProse(`${label} ${text}`, columns, { hang: "  " }).join("\n").replace(label.trim(), paint);
  const lines = [
    draw("error:", alarm, toVisible(error.title)),
    ...error.errors.map((violation) => draw("  why:", faint, toDetail(violation))),
  ];
  if (error.hint) lines.push(draw("  fix:", faint, toVisible(error.hint)));
  if (error.requestId) lines.push(draw("  request id:", faint, toVisible(error.requestId)));
  return lines.map((line) => `${line}\n`).join("");
}

// Omits the model's name. Adds the field unless the detail names it.
function toDetail({ detail, field }: { detail: string; field: string | null }): string {
  const path = field?.replace(/^[A-Z]\w*Model(?:\.|$)/, "");
  const told = detail.replace(/^[A-Z]\w*Model\./, "");
  const isNamed = !path || told.includes(path) || told.includes(`--${path.replaceAll("_", "-")}`);
  return toVisible(isNamed ? told : `${path}: ${told}`);
}
