import type { AttemptLine } from "../../webhooks/worker-log.ts";

/** A delivery attempt that did not succeed, in words; `showTime` says when the next one is. */
export function describeAttempt(line: AttemptLine, showTime: (timestamp: string) => string): string {
  const {
    attempt,
    disabled_because: disabled,
    hook_id: hook,
    kind,
    message,
    next_attempt_on: next,
    record_id: record,
  } = line;
  const then = disabled
    ? ` Webhook ${hook} was deactivated.`
    : next
      ? ` Next attempt ${showTime(next)}.`
      : "";
  return `webhook ${hook}, ${kind} ${record}, attempt ${attempt}: ${message.replace(/\.$/, "")}.${then}`;
}
