import type { CliContext, OptionValues } from "../../context.ts";
import { showFacts } from "../../output/tell.ts";
import type { Settings } from "../../settings.ts";
import { toEnding } from "./end-server.ts";
import { openServeLog } from "./open-serve-log.ts";
import { serveService, toServiceOptions } from "./serve-service.ts";
import { toTryHints } from "./try-hints.ts";

export async function serveMemory(
  context: CliContext,
  settings: Settings,
  options: OptionValues,
): Promise<void> {
  const interrupted = new Promise<void>((resolve) => context.onInterrupt(resolve));
  const log = await openServeLog(context, settings, options);
  const { openSandbox } = await import("../../../http/open-sandbox.ts");
  const sandbox = await openSandbox({
    demo: options.demo !== false,
    service: toServiceOptions(options),
    tokenName: "serve --memory",
  });
  const { locationId, service, tenantId, token } = sandbox;
  await serveService(context, log, {
    ending: toEnding(interrupted),
    onReady: ({ notes, url }) => {
      for (const note of notes) log.note(note);
      const facts = { url, token, tenant_id: tenantId, location_id: locationId };
      const line = `Serving a sandbox store in memory at ${url} (Ctrl-C ends it, and the store with it).`;
      showFacts(context, settings, facts, [...toTryHints(url, tenantId, token), line]);
    },
    options: { ...options, workers: 1 },
    service,
    serviceOptions: sandbox.options,
    toNotes: async () => [],
  });
}
