import type { JsonValue } from "./output/answer.ts";
import { formatAnswer } from "./output/format.ts";
import type { Settings } from "./settings.ts";
import { toScreenOptions } from "./show.ts";
import type { World } from "./world.ts";

/** Shows records that no operation answers, in any form: a table of all their fields, or what --output asks for. */
export async function showRecords(
  world: World,
  settings: Settings,
  records: readonly Readonly<Record<string, JsonValue>>[],
): Promise<void> {
  const value = records.map((record) => ({ ...record }));
  const known = Object.keys(value[0] ?? {});
  const options = { form: settings.form, fields: null, knownFields: known, columns: known };
  const { stdout, note } = await formatAnswer(
    { value, text: JSON.stringify(value) },
    { ...options, ...toScreenOptions(world, settings) },
  );
  world.stdout.write(stdout);
  if (note !== null) world.stderr.write(`${note}\n`);
}
