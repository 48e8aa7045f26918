import type { Trace } from "./trace.ts";

export interface Tracing {
  /** A child of `parent`, or a new trace for null. */
  begin(span: NewSpan, parent: Trace | null): OpenSpan;
  /** Sends waiting spans within two seconds. */
  close(): Promise<void>;
}

type Attributes = Readonly<Record<string, string | number>>;

interface NewSpan {
  name: string;
  kind: "client" | "server";
  attributes: Attributes;
}

export interface OpenSpan {
  /** The context for child spans and other systems. */
  trace: Trace;
  /** Runs work in the span, the parent of its spans. */
  during<T>(work: () => T): T;
  end(facts: { name?: string; attributes: Attributes; isFailed: boolean }): void;
}

/** Whether the environment or a loaded module asks for spans. Otherwise tracing costs nothing. */
export function isTracingAsked(env: Readonly<Record<string, string | undefined>>): boolean {
  if (env.OTEL_SDK_DISABLED?.trim().toLowerCase() === "true") return false;
  const exporter = env.OTEL_TRACES_EXPORTER?.trim() ?? "";
  if (exporter === "none") return false;
  const wanted = [exporter, env.OTEL_EXPORTER_OTLP_ENDPOINT, env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT];
  return wanted.some(Boolean) || isProviderThere();
}

/** Whether `node --import …` has set up a provider. The packages of a major version share this symbol. */
export function isProviderThere(): boolean {
  const shared = (globalThis as { [api]?: { trace?: unknown } })[api];
  return shared?.trace !== undefined;
}

const api = Symbol.for("opentelemetry.js.api.1");
