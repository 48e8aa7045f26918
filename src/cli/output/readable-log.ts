import { describeFileError } from "../../errors/file-error.ts";
import { parseObject } from "../../models/json.ts";
import { toEpochMs } from "../../runtime/clock.ts";
import { type LogLevel, toLogLine } from "../../runtime/log-line.ts";
import type { Loss } from "../../runtime/log-writer.ts";
import type { AttemptLine } from "../../webhooks/worker-log.ts";
import { cutStart, cutText, padText } from "./fit-text.ts";
import type { Paint } from "./screen.ts";
import { toVisible } from "./text.ts";

export interface LogView {
  columns(): number;
  paint: Paint;
  isUtc: boolean;
  /** A webhook without a receiver on purpose: hides its failed attempts. */
  quietHook: () => number | null;
}

/** Requests become columns, other lines sentences. Converts what the server writes. */
export function toReadableLog(
  log: { write(text: string): void },
  view: LogView,
): { write(line: string): void } {
  const showTime = createTimeOfDay(view.isUtc);
  return {
    write(line) {
      const record = parseRecord(line);
      const text = record === null ? line.trimEnd() : toRecordLine(record, view, showTime);
      if (text !== null) log.write(`${text}\n`);
    },
  };
}

export function createRequestLines(
  view: Pick<LogView, "columns" | "isUtc" | "paint">,
): (request: ShownRequest) => string {
  const showTime = createTimeOfDay(view.isUtc);
  return (request) => toRequestLine(request, view, showTime);
}

/** `time` is in epoch milliseconds. */
interface ShownRequest extends Readonly<Record<string, unknown>> {
  time: number;
  status: number;
}

interface LogRecord extends Readonly<Record<string, unknown>> {
  level: LogLevel;
  time: string;
  msg?: string;
}

type ShowTime = (epochMs: number) => string;

function parseRecord(line: string): LogRecord | null {
  const value = parseObject(line);
  // Only the server writes these lines.
  return value && "level" in value && "time" in value ? (value as unknown as LogRecord) : null;
}

function toRecordLine(record: LogRecord, view: LogView, showTime: ShowTime): string | null {
  const { paint } = view;
  const { status } = record;
  if (record.msg === "request" && typeof status === "number")
    return toRequestLine({ ...record, status, time: Date.parse(record.time), version: null }, view, showTime);
  const time = paint.faint(showTime(Date.parse(record.time)));
  const told = toSentence(record, view, showTime);
  if (told === null) return null;
  const sentence = toVisible(told);
  if (severe.has(record.level)) return `${time}  ${paint.alarm("error")}  ${sentence}`;
  return `${time}  ${record.level === "warn" ? paint.busy(sentence) : sentence}`;
}

const severe: ReadonlySet<LogLevel> = new Set(["fatal", "error"]);

const timeColumns = 10;
const fixedColumns = timeColumns + "OPTIONS ".length + "  200  1234 ms".length;
const pathColumnsMin = 26;
const pathColumnsMax = 56;
const callerColumnsMax = 36;

function toRequestLine(
  record: ShownRequest,
  { columns, paint }: Pick<LogView, "columns" | "paint">,
  showTime: ShowTime,
): string {
  const { status } = record;
  const room = Math.max(0, columns() - fixedColumns);
  const caller = toCaller(record);
  // The caller gets the width that the path does not need.
  const callerRoom = Math.min(callerColumnsMax, Math.max(0, room - pathColumnsMin - 2));
  const pathColumns = Math.min(pathColumnsMax, room - (callerRoom < shortestCaller ? 0 : callerRoom + 2));
  // The end of a path is the informative part.
  const path = padText(cutStart(toVisible(String(record.path ?? "–")), pathColumns), pathColumns);
  const method = String(record.method ?? "–").padEnd("OPTIONS".length);
  const ms = typeof record.duration_ms === "number" ? showDuration(record.duration_ms) : "";
  const shownCaller = callerRoom < shortestCaller ? "" : `  ${cutText(caller, callerRoom)}`;
  const color = statusColor(status, paint);
  const time = paint.faint(showTime(record.time));
  return `${time}  ${method} ${path}  ${color(String(status))}  ${paint.faint(`${ms.padStart(7)}${shownCaller}`)}`.trimEnd();
}

const shortestCaller = "tenant 1".length;

/** Version, tenant, and token name; the IP address without a valid token. */
function toCaller(record: ShownRequest): string {
  const { client_ip: ip, tenant_id: tenant, token_id: token, token_name: name, version } = record;
  if (typeof ip === "string" && typeof token !== "number") return toVisible(`from ${ip}`);
  const parts = [
    ...(typeof version === "string" ? [version] : []),
    ...(typeof tenant === "number" ? [`tenant ${tenant}`] : []),
    ...(typeof name === "string" ? [name] : []),
  ];
  return toVisible(parts.join(" · "));
}

function statusColor(status: number, paint: Paint): (text: string) => string {
  if (status >= 500) return paint.alarm;
  if (status >= 400) return paint.busy;
  return status >= 300 ? paint.accent : paint.good;
}

function showDuration(ms: number): string {
  if (ms >= 9_999.5) return `${(ms / 1000).toFixed(1)} s`;
  return ms < 9.95 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
}

function toSentence(record: LogRecord, view: LogView, showTime: ShowTime): string | null {
  const { level: _level, time: _time, msg = "", err, ...facts } = record;
  // See WorkerLog.
  if (msg === "delivery") return toDelivery(facts as unknown as AttemptLine, view, showTime);
  // The banner shows the address, and people do not need the regular figures of the event loop.
  if (/^Server (?:listening|is asked to end)/.test(msg) || msg === "event loop") return null;
  if (msg === "event loop held") return `one task blocked the server for ${facts.max_ms} ms`;
  if (msg === "unauthenticated requests")
    return `${facts.requests} requests without a valid token, by status ${toFactsText(facts.statuses)}`;
  const because = isError(err) ? `: ${err.message}` : "";
  const rest = toFactsText(facts);
  return `${msg}${because}${rest === "" ? "" : ` (${rest})`}`;
}

const isError = (err: unknown): err is { message: unknown } =>
  typeof err === "object" && err !== null && "message" in err;

/** `400: 3, 401: 2` */
function toFactsText(facts: unknown): string {
  return Object.entries(facts ?? {})
    .map(([name, value]) => `${name}: ${typeof value === "object" ? JSON.stringify(value) : value}`)
    .join(", ");
}

function toDelivery(line: AttemptLine, { quietHook }: LogView, showTime: ShowTime): string | null {
  if (line.state === "delivered")
    return `webhook ${line.hook_id}, ${line.kind} ${line.record_id}: delivered in ${line.duration_ms} ms`;
  const isUnanswered = line.status === -1;
  if (isUnanswered && line.hook_id === quietHook() && !line.disabled_because) return null;
  return describeAttempt(line, (next) => `at ${showTime(toEpochMs(next))}`);
}

/** Caches the text, because most lines have the same second as the previous one. */
function createTimeOfDay(isUtc: boolean): ShowTime {
  const form = new Intl.DateTimeFormat("en-GB", {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
    ...(isUtc && { timeZone: "UTC" }),
  });
  let second = Number.NaN;
  let text = "";
  return (epochMs) => {
    const at = Math.floor(epochMs / 1000);
    if (at !== second) text = form.format(epochMs);
    second = at;
    return text;
  };
}

/** `showTime` shows the time of the next attempt. */
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

export function toLossSentence({ error, lines, since }: Loss): string {
  return `${countLines(lines)} lost since ${since}: ${toReason(error)}.\n`;
}

export function toLossRecord({ error, lines, since }: Loss): string {
  const record = toLogLine("warn", {
    lines_lost: lines,
    since,
    reason: toReason(error),
    msg: `${countLines(lines)} lost`,
  });
  return `${JSON.stringify(record)}\n`;
}

const countLines = (lines: number) => (lines === 1 ? "1 log line was" : `${lines} log lines were`);

function toReason(error: unknown): string {
  if (error === null) return "the reader of the log is too slow";
  const isUnread = error instanceof Error && "code" in error && error.code === "EPIPE";
  return isUnread ? "the reader closed the log" : describeFileError(error, "it is gone");
}
