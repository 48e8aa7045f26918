import { loadPaint } from "./screen.ts";
import { toVisible } from "./text.ts";

/** An error as it is told: what failed, every violated field, what to do, and under which id the log knows it. */
export interface ErrorView {
  title: string;
  errors: readonly { code: string; detail: string; field: string | null }[];
  hint: string | null;
  requestId: string | null;
}

/** The lines on stderr for an error (docs/command-line.md, "Errors and exit codes"), with their line ends. */
export async function formatError(error: ErrorView, options: { colour: boolean }): Promise<string> {
  const { alarm, faint } = await loadPaint(options.colour);
  const lines = [
    `${alarm("error:")} ${toVisible(error.title)}`,
    ...error.errors.map((violation) => `  ${faint("why:")} ${toDetail(violation)}`),
  ];
  if (error.hint) lines.push(`  ${faint("fix:")} ${toVisible(error.hint)}`);
  if (error.requestId) lines.push(`  ${faint("request id:")} ${toVisible(error.requestId)}`);
  return lines.map((line) => `${line}\n`).join("");
}

// The model's name says nothing to people, and a detail that names its field needs no second mention.
function toDetail({ detail, field }: { detail: string; field: string | null }): string {
  const path = field?.replace(/^[A-Z]\w*Model(?:\.|$)/, "");
  return toVisible(path && !detail.includes(path) ? `${path}: ${detail}` : detail);
}
