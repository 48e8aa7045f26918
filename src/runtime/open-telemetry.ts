import type * as Api from "@opentelemetry/api";
import { toInstallCommand } from "./install-command.ts";
import { programVersion } from "./program-version.ts";
import { isSampled, makeSpanId, type Trace } from "./trace.ts";
import { isProviderThere, type OpenSpan, type Tracing } from "./tracing.ts";

/** Uses an existing provider, else the SDK. null without the packages, which are not dependencies. */
export async function openTelemetry(note: (sentence: string) => void): Promise<Tracing | null> {
  try {
    const api = await import("@opentelemetry/api");
    const close = isProviderThere() ? async () => undefined : await startSdk(api, note);
    return toTracing(api, close);
  } catch (error) {
    note(toReason(error));
    return null;
  }
}

const closeMsMax = 2000;

/** Returns the function that ends it. The SDK's metrics and logs stay off, because the program has its own. */
async function startSdk(api: typeof Api, note: (sentence: string) => void): Promise<() => Promise<void>> {
  const { NodeSDK, resources } = await import("@opentelemetry/sdk-node");
  const named = { "service.name": "dispatch-cli", "service.version": programVersion };
  const sdk = new NodeSDK({
    instrumentations: [],
    logRecordProcessors: [],
    metricReaders: [],
    resource: resources.resourceFromAttributes(named),
    // Omits the process detector: the command line may contain a database's password.
    resourceDetectors: [resources.envDetector, resources.hostDetector, resources.serviceInstanceIdDetector],
  });
  sdk.start();
  const tell = toTeller(note);
  const silent = () => undefined;
  const logger = { debug: silent, error: tell, info: silent, verbose: silent, warn: tell };
  api.diag.setLogger(logger, { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true });
  return () => {
    const end = new Promise<void>((resolve) => setTimeout(resolve, closeMsMax).unref());
    return Promise.race([sdk.shutdown().catch(silent), end]);
  };
}

const toldEveryMs = 60_000;
const toldLengthMax = 200;

/** A missing collector fails every few seconds; one report a minute is enough. */
function toTeller(note: (sentence: string) => void): (message: string) => void {
  let toldMs = Number.NEGATIVE_INFINITY;
  return (message) => {
    if (performance.now() - toldMs < toldEveryMs) return;
    toldMs = performance.now();
    note(`OpenTelemetry: ${toFirstWords(message)}`);
  };
}

/** Some messages are an error as JSON, with its stack. */
function toFirstWords(message: string): string {
  const [, inner] = /"message":"((?:[^"\\]|\\.)*)"/.exec(message) ?? [];
  return (inner ?? message).slice(0, toldLengthMax);
}

function toTracing(api: typeof Api, close: () => Promise<void>): Tracing {
  const tracer = api.trace.getTracer("dispatch-cli", programVersion);
  return {
    begin({ kind, ...options }, parent) {
      const active = api.context.active();
      // An instrumentation loaded earlier may have started a span for the request.
      const isWithin = kind === "server" && api.trace.getSpan(active) !== undefined;
      const within = isWithin ? active : toContext(api, parent);
      const kinds = { client: api.SpanKind.CLIENT, server: api.SpanKind.SERVER };
      const spanKind = isWithin ? api.SpanKind.INTERNAL : kinds[kind];
      const { attributes, name } = options;
      return toOpenSpan(api, tracer.startSpan(name, { attributes, kind: spanKind }, within), within);
    },
    close,
  };
}

function toContext(api: typeof Api, parent: Trace | null): Api.Context {
  if (!parent) return api.ROOT_CONTEXT;
  const { id: traceId, span, state } = parent;
  const isRecorded = span === null || isSampled(span);
  return api.trace.setSpanContext(api.ROOT_CONTEXT, {
    isRemote: true,
    // A trace without a span gets a parent that does not exist.
    spanId: span?.slice(0, 16) ?? makeSpanId(),
    traceFlags: isRecorded ? api.TraceFlags.SAMPLED : api.TraceFlags.NONE,
    traceId,
    ...(state !== null && { traceState: api.createTraceState(state) }),
  });
}

function toOpenSpan(api: typeof Api, span: Api.Span, within: Api.Context): OpenSpan {
  const { spanId, traceFlags, traceId, traceState } = span.spanContext();
  const active = api.trace.setSpan(within, span);
  return {
    trace: {
      id: traceId,
      span: `${spanId}-${traceFlags.toString(16).padStart(2, "0")}`,
      state: traceState?.serialize() || null,
    },
    during: (work) => api.context.with(active, work),
    end({ attributes, isFailed, name }) {
      if (name !== undefined) span.updateName(name);
      span.setAttributes(attributes);
      if (isFailed) span.setStatus({ code: api.SpanStatusCode.ERROR });
      span.end();
    },
  };
}

const wanted = "@opentelemetry/api@1 @opentelemetry/sdk-node@0.223";

function toReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const command = toInstallCommand(wanted);
  return code === "MODULE_NOT_FOUND" || code === "ERR_MODULE_NOT_FOUND"
    ? `No spans are sent: OpenTelemetry is enabled, but its packages are missing. \`${command}\` installs them.`
    : `No spans are sent: OpenTelemetry cannot be used (${message.split("\n", 1)[0]}). \`${command}\` installs a tested version.`;
}
