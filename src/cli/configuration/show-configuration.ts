import type { CliContext } from "../context.ts";
import { showFacts, tell } from "../output/tell.ts";
import type { Settings } from "../settings.ts";
import { holdsSecret, toShownText, toShownValue } from "./config-option.ts";
import type { ConfigValue } from "./option-ways.ts";
import type { Configuration } from "./read-configuration.ts";

/** As YAML, the output is a configuration file with the same values. */
export async function showConfiguration(
  context: CliContext,
  { form }: Pick<Settings, "form">,
  { values }: Pick<Configuration, "values">,
): Promise<void> {
  if (form === "yaml") {
    for (const line of await toYamlLines(values)) tell(context.stdout, line);
    return;
  }
  const facts = Object.fromEntries(
    values.map((value) => [value.names.key, { value: toShownValue(value), from: value.source }]),
  );
  const rows = values.map((value) => [value.names.key, toShownText(value), value.source] as const);
  const [keys = 0, words = 0] = [0, 1].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  showFacts(
    context,
    { form },
    facts,
    rows.map(
      ([key, word, source]) => `${key.padEnd(keys)}  ${word.padEnd(Math.min(words, wordsMax))}  ${source}`,
    ),
  );
}

/** A longer value moves only its own source to the right. */
const wordsMax = 48;

/** Unset values and secrets become comments. */
async function toYamlLines(values: readonly ConfigValue[]): Promise<string[]> {
  const { stringify } = await import("yaml");
  const form = { collectionStyle: "flow", flowCollectionPadding: false, lineWidth: 0 } as const;
  return values.map((value) => {
    const { given, names, source } = value;
    if (given === null) return `# ${names.key}: not set`;
    const line = `${names.key}: ${stringify(toShownValue(value), form).trimEnd()} # ${source}`;
    return holdsSecret(value) ? `# ${line}; it holds a secret` : line;
  });
}
