import { type DispatchError, errorKind } from "../errors/errors.ts";
import { toLogLine } from "../runtime/log-line.ts";
import type { CliContext } from "./context.ts";
import { exitCodeOf } from "./outcome/exit-code-of.ts";

/** Decides whether stderr has only JSON. Reads the words directly, because the options may be invalid. */
export function logsJson(
  words: readonly string[],
  [name]: readonly string[],
  { env, stderr }: Pick<CliContext, "env" | "stderr">,
): boolean {
  const serves = name === "serve" || (name === "demo" && words.includes("--serve"));
  if (!serves || words.includes("--print-config")) return false;
  const typed = words.flatMap((word, at) => {
    if (word === "--log-format") return words[at + 1] ?? [];
    return /^--log-format=(.+)$/.exec(word)?.[1] ?? [];
  });
  const form = typed.at(-1) ?? env.DISPATCH_LOG_FORMAT ?? (stderr.isTTY ? "text" : "json");
  return form !== "text";
}

/** The last line of the log. */
export function toFailureLine(error: DispatchError, showsStack: boolean): object {
  const byCode = error.code === "usage" ? usageFix : errorKind(error.code).fix;
  const [{ fix = byCode }] = error.violations;
  return toLogLine("fatal", {
    code: error.code,
    exit_code: exitCodeOf(error),
    fix,
    msg: error.violations.map(({ detail }) => detail).join(" "),
    ...(showsStack && { stack: error.stack }),
  });
}

const usageFix = "`dispatch-cli serve --help` shows its options.";
