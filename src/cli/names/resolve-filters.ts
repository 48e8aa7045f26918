import type { Operation } from "../../core/operation.ts";
import type { CliContext } from "../context.ts";
import type { Flag } from "../input/flags.ts";
import type { CommandInput } from "../input/input.ts";
import type { Settings } from "../settings.ts";
import type { Target } from "../target/target.ts";
import { resolveFields, resolveParams } from "./resolve-input.ts";

interface ListInput {
  flags: readonly Flag[];
  input: CommandInput;
  operation: Operation;
}

export async function resolveFilters(
  context: CliContext,
  { form }: Pick<Settings, "form">,
  { client }: Pick<Target, "client">,
  { flags, input, operation }: ListInput,
): Promise<void> {
  const resolving = { context, client, choose: null, input, operation, tells: form === "table" };
  await resolveParams(resolving, null);
  await resolveFields(
    resolving,
    flags.filter(({ part }) => part === "query"),
  );
}
