import type { CliContext, OptionValues } from "../context.ts";
import { parseId } from "../input/option-values.ts";
import type { Settings } from "../settings.ts";
import type { Target } from "../target/target.ts";
import { resolveLocation } from "./follow-records.ts";

export async function readLocation(
  context: CliContext,
  { form }: Pick<Settings, "form">,
  { client }: Pick<Target, "client">,
  { location }: OptionValues,
): Promise<number | null> {
  if (location === undefined) return null;
  const resolving = { context, client, choose: null, tells: form === "table" };
  return parseId(await resolveLocation(resolving, String(location)), "--location");
}
