import type { Served } from "../../../core/server-factory.ts";
import { toShownStore } from "../../../store/postgres/address.ts";
import type { CliContext } from "../../context.ts";
import { showFacts } from "../../output/tell.ts";
import type { Settings } from "../../settings.ts";
import type { ServeLog } from "./open-serve-log.ts";

export function showAddress(
  context: CliContext,
  log: ServeLog,
  { form }: Settings,
  { url, notes }: Served,
  data: string,
  hints: readonly string[],
): void {
  for (const note of notes) log.note(note);
  const lines = [...hints, `Serving ${toShownStore(data)} at ${url} (Ctrl-C ends it).`];
  showFacts(context, { form }, { url }, lines);
}
