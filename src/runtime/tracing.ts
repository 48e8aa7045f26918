import type { Trace } from "./trace.ts";

/** Makes spans for whoever collects traces. */
export interface Tracing {
  /** Begins a span: a child of the trace's own, of a trace that begins with it for null. */
  begin(span: NewSpan, parent: Trace | null): OpenSpan;
  /** Sends what waits, for two seconds at most. */
  close(): Promise<void>;
}

type Attributes = Readonly<Record<string, string | number>>;

/** What is known of a span when it begins. */
interface NewSpan {
  name: string;
  kind: "client" | "server";
  attributes: Attributes;
}

/** A piece of work that has begun. */
export interface OpenSpan {
  /** What goes on from here: its span is this one. */
  trace: Trace;
  /** Does work within the span: what that begins are its children. */
  during<T>(work: () => T): T;
  end(facts: { name?: string; attributes: Attributes; isFailed: boolean }): void;
}

/**
 * Whether the environment, or what was loaded before the program, asks for spans. No more is looked at, so that others pay
 * nothing.
 */
export function isTracingAsked(env: Readonly<Record<string, string | undefined>>): boolean {
  if (env.OTEL_SDK_DISABLED?.trim().toLowerCase() === "true") return false;
  const exporter = env.OTEL_TRACES_EXPORTER?.trim() ?? "";
  if (exporter === "none") return false;
  const wanted = [exporter, env.OTEL_EXPORTER_OTLP_ENDPOINT, env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT];
  return wanted.some(Boolean) || isProviderThere();
}

/** Whether another has set a provider of spans up: `node --import …` does. The api's packages of a major version share this. */
export function isProviderThere(): boolean {
  const shared = (globalThis as { [api]?: { trace?: unknown } })[api];
  return shared?.trace !== undefined;
}

const api = Symbol.for("opentelemetry.js.api.1");
