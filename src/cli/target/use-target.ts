import type { Service } from "../../core/service.ts";
import type { CliContext, OptionValues } from "../context.ts";
import { readSettings, type Settings } from "../settings.ts";
import { openTarget, type StoreOptions, type Target } from "./target.ts";

/** Closes the target afterward. */
export async function useTarget<T>(
  context: CliContext,
  options: OptionValues,
  work: (target: Target, settings: Settings) => Promise<T>,
  opening: StoreOptions = {},
): Promise<T> {
  const settings = readSettings(context, options);
  const target = await openTarget(context, settings, opening);
  try {
    return await work(target, settings);
  } finally {
    await target.close();
  }
}

/** Closes the store afterward. Throws a usage error for a server. */
export function useStore(
  context: CliContext,
  options: OptionValues,
  work: (service: Service, settings: Settings) => Promise<void>,
): Promise<void> {
  const workOnStore = ({ store }: Target, settings: Settings) => {
    if (!store) throw new Error("Only a store is opened for this.");
    return work(store.service, settings);
  };
  return useTarget(context, options, workOnStore, { access: "store" });
}
