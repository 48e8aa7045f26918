import type { Service } from "../../core/service.ts";
import type { CliContext } from "../context.ts";
import type { Settings } from "../settings.ts";
import { openTarget } from "./target.ts";

/** Closes the store afterward. Throws a usage error for a server. */
export async function useStore(
  context: CliContext,
  settings: Settings,
  work: (service: Service) => Promise<void>,
): Promise<void> {
  const target = await openTarget(context, settings, { access: "store" });
  try {
    if (!target.store) throw new Error("Only a store is opened for this.");
    await work(target.store.service);
  } finally {
    await target.close();
  }
}
