import type { CliContext } from "../context.ts";
import type { JsonValue } from "./answer.ts";
import { formatAnswer } from "./format.ts";
import type { OutputSettings } from "./options.ts";
import { toScreenOptions } from "./show.ts";
import { tell } from "./tell.ts";

/** Shows records that no operation answers, in any form: a table of all their fields, or what --output asks for. */
export async function showRecords(
  context: CliContext,
  settings: OutputSettings,
  records: readonly Readonly<Record<string, JsonValue>>[],
): Promise<void> {
  const value = records.map((record) => ({ ...record }));
  const known = Object.keys(value[0] ?? {});
  const options = { form: settings.form, fields: null, knownFields: known, columns: known };
  const { stdout, note } = await formatAnswer(
    { value, text: JSON.stringify(value) },
    { ...options, ...toScreenOptions(context, settings) },
  );
  context.stdout.write(stdout);
  if (note !== null) tell(context.stderr, note);
}
