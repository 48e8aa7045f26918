import { answersRecord, showsOne } from "../../core/precondition.ts";
import { findKindOfOperation } from "../../records/find-kind.ts";
import type { OutputOptions } from "../output/options.ts";
import type { Settings } from "../settings.ts";
import type { Target } from "../target/target.ts";
import type { ParsedCommand } from "./parse.ts";

/** Names and zones are for people: programs get the API's values. */
export async function addView(command: ParsedCommand, target: Target): Promise<ParsedCommand> {
  const { input, operation, output, settings } = command;
  if (output === null) return command;
  const kind = findKindOfOperation(operation.name);
  const showsKind = showsOne(operation) || answersRecord(operation) || kind?.create === operation.name;
  const { toTitle } = await import("../presentation/change.ts");
  const locationId = Number(input.params.location_id);
  return {
    ...command,
    output: {
      ...(await withView(output, target, settings, Number.isInteger(locationId) ? locationId : null)),
      ...(kind && showsKind && { toTitle: (record) => toTitle(kind, record) }),
    },
  };
}

export async function withView(
  output: OutputOptions,
  target: Pick<Target, "client" | "clock" | "tenant">,
  { isUtc }: Pick<Settings, "isUtc">,
  locationId: number | null,
): Promise<OutputOptions> {
  const { cells = {}, fields, form } = output;
  const isInWords =
    form === "table" || (form !== "ids" && fields?.some((field) => Object.hasOwn(cells, field)));
  if (!isInWords) return output;
  const { createRecordView } = await import("../target/record-view.ts");
  return { ...output, view: createRecordView(target, { isUtc, locationId }) };
}
