import type { CliContext } from "../context.ts";
import { showFacts } from "../output/show-facts.ts";
import { tell } from "../output/tell.ts";
import type { Settings } from "../settings.ts";
import { holdsSecret, toShownText, toShownValue } from "./config-option.ts";
import type { ConfigValue } from "./option-ways.ts";
import type { Configuration } from "./read-configuration.ts";

/** Shows each value that counts and where it came from; as YAML, a configuration file that says the same (OP-316). */
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

/** A longer value pushes its source to the right, and no other. */
const wordsMax = 48;

/** A line for each; what nothing sets, and what a secret must be put in place of, is a comment. */
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
