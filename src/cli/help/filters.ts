import { loadOperations } from "../../operations/index.ts";
import { kindOfList } from "../../records/find-kind.ts";
import { recordKinds } from "../../records/record-kinds.ts";
import { toFlags } from "../input/flags.ts";
import { toInputOptions } from "../input/to-input-options.ts";
import { loadPresentation } from "../presentation/index.ts";
import type { HelpWriter } from "./help-writer.ts";

/** Options of every list that are no filters. */
const pagingFields = ["page_index", "page_limit"];

/** `help filters`. */
export async function describeFilters({ paragraph, terms }: HelpWriter): Promise<string> {
  const operations = await loadOperations();
  const lists = operations.filter(({ name }) => name.endsWith(".list"));
  const order = recordKinds.map(({ noun }): string => noun);
  const described = await Promise.all(
    lists.map(async ({ name, ...operation }) => {
      const noun = name.split(".", 1)[0] ?? "";
      const flags = toFlags({ name, ...operation }).filter(
        ({ field, part }) => part === "query" && !pagingFields.includes(field),
      );
      const own = toInputOptions(flags, await loadPresentation(name)).map(
        ({ description, flags }) => [flags, description] as const,
      );
      const location = kindOfList(name)?.listAtLocation
        ? [["--location <name>", "only those of this location"] as const]
        : [];
      return { noun, entries: [...own, ...location] };
    }),
  );
  const sections = described
    .filter(({ entries }) => entries.length > 0)
    .sort((a, b) => order.indexOf(a.noun) - order.indexOf(b.noun));
  return [
    paragraph(
      "A list shows the records for which every filter holds. --page-index and --page-limit (1 to 1000) choose the page.",
    ),
    ...sections.map(({ noun, entries }) => `\n${noun} list\n${terms(entries)}`),
  ].join("");
}
