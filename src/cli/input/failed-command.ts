import type { DispatchError, Violation } from "../../errors/errors.ts";
import type { Flag } from "./flags.ts";

/** Has the options, so that a message can name the option of a field. */
export class FailedCommand extends Error {
  readonly failure: DispatchError;
  readonly flags: readonly Flag[];

  constructor(failure: DispatchError, flags: readonly Flag[]) {
    super(failure.message, { cause: failure });
    this.failure = failure;
    this.flags = flags;
  }
}

export function nameOption<V extends Pick<Violation, "detail" | "field">>(
  violation: V,
  flags: readonly Flag[],
): V {
  const { detail, field } = violation;
  const [, model, name] = /^(?:([A-Z]\w*)\.)?(\w+)(?:\[\d+\])?$/.exec(field ?? "") ?? [];
  const isOfBody = model !== undefined;
  const flag = flags.find((known) => known.field === name && (known.part === "body") === isOfBody);
  if (!flag || detail.includes(`--${flag.name}`)) return violation;
  return { ...violation, detail: `${explainCodes(detail, flag)} (--${flag.name})` };
}

/** `D drop-off, E exchange` for `D, E`. */
function explainCodes(detail: string, { description, kind }: Flag): string {
  const codes = (kind?.input.enum ?? []) as string[];
  const meanings = description.split(", ");
  const isExplained = codes.length > 0 && codes.every((code, at) => meanings[at]?.startsWith(`${code} `));
  return isExplained ? detail.replace(codes.join(", "), meanings.slice(0, codes.length).join(", ")) : detail;
}
