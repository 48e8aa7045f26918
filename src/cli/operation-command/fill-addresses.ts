import type { Client } from "../../client/client.ts";
import { isObject, type JsonObject } from "../../models/json.ts";
import type { Shape } from "../../models/model.ts";
import { type CliContext, canAsk, type OptionValues } from "../context.ts";
import { type Flag, optionKey } from "../input/flags.ts";
import type { CommandInput } from "../input/input.ts";
import { describeAddress, fillAddress, findHome, type Home, isLacking } from "../input/new-address.ts";
import {
  type AskParts,
  addressWords,
  isAddressShape,
  lineOf,
  refuseLine,
  toEntryShape,
} from "../input/typed-address.ts";
import { say } from "../output/tell.ts";
import type { Target } from "../target/target.ts";
import type { ParsedCommand } from "./parse.ts";

/** Adds the country, the purpose, and an approximate position. Does not change a body in a file. */
export async function fillAddresses(
  context: CliContext,
  { flags, input, operation, options, settings }: ParsedCommand,
  { client, clock }: Pick<Target, "client" | "clock">,
  answered: readonly string[] = [],
): Promise<CommandInput> {
  const { body } = input;
  if (!body) return input;
  const isTyped = ({ field, name }: Flag) =>
    options[optionKey({ name })] !== undefined || answered.includes(field);
  const typed = flags.filter((flag) => flag.part === "body" && isTyped(flag));
  const shape = operation.body?.shape ?? {};
  const nested = typed.flatMap(({ field, schema }) => {
    const inner = toEntryShape(schema);
    return isAddressShape(inner) && typeof body[field] === "object" ? [{ field, inner }] : [];
  });
  const isFlat =
    isAddressShape(shape) &&
    (options.address !== undefined || typed.some(({ field }) => field in addressWords));
  const isNew = flags.some(({ field, isRequired }) => field === "line_1" && isRequired);
  if (nested.length === 0 && isFlat && !isNew) return moveAddress(input, shape, client, options);
  if (nested.length === 0 && !isFlat) return input;
  // A location's own address has no other location to follow.
  const params = operation.name.startsWith("locations.") ? {} : input.params;
  const ask = askerOf(context, options, clock);
  const tell = (line: string) => {
    if (settings.form === "table") say(context.stderr, line);
  };
  const filler = createFiller(client, params, tell, ask);
  const filled: Record<string, unknown> = isFlat ? { ...(await filler.fill(body, shape)) } : { ...body };
  for (const { field, inner } of nested) filled[field] = await fillNested(filler, body[field], inner);
  return { ...input, body: filled };
}

/** Asks for what the line of an address lacks; null where nobody answers. */
export function askerOf(context: CliContext, options: OptionValues, clock: Target["clock"]): AskParts | null {
  if (!canAsk(context, options)) return null;
  return async (address, shape) => {
    const { askAddressParts } = await import("../prompts/prompts.ts");
    return askAddressParts(context, () => clock.now(), shape, address);
  };
}

/** A new line moves an address: its position follows, and what the address is for stays. */
async function moveAddress(
  input: CommandInput,
  shape: Shape,
  client: Client,
  { address: line }: OptionValues,
): Promise<CommandInput> {
  const { body = {}, params } = input;
  if (typeof line !== "string") return input;
  const missing = Object.keys(addressWords).filter((field) => isLacking(body[field]));
  if (missing.length > 0) throw refuseLine(line, missing);
  const { is_billing: _billing, is_shipping: _shipping, ...moved } = shape;
  const { address } = await fillAddress(body as JsonObject, moved, await findHome(client, params), false);
  return { ...input, body: { ...address } };
}

async function fillNested({ fill }: Filler, value: unknown, shape: Shape): Promise<unknown> {
  if (!Array.isArray(value)) return isObject(value) ? fill(value, shape) : value;
  const entries: unknown[] = [];
  for (const entry of value) entries.push(isObject(entry) ? await fill(entry, shape) : entry);
  return entries;
}

interface Filler {
  fill(address: JsonObject, shape: Shape): Promise<JsonObject>;
}

/** Fills addresses of one command. */
function createFiller(
  client: Client,
  params: CommandInput["params"],
  tell: (line: string) => void,
  ask: AskParts | null,
) {
  let reading: Promise<Home> | null = null;
  let count = 0;
  const readHome = () => {
    reading ??= findHome(client, params);
    return reading;
  };
  const fill = async (given: JsonObject, shape: Shape): Promise<JsonObject> => {
    const line = lineOf(given);
    const missing = Object.keys(addressWords).filter((field) => isLacking(given[field]));
    if (missing.length > 0 && line === undefined) return given;
    if (missing.length > 0 && !ask) throw refuseLine(line ?? "", missing);
    const address = missing.length > 0 && ask ? await ask(given, shape) : given;
    const filled = await fillAddress(address, shape, await readHome(), count === 0);
    count += 1;
    if (line !== undefined || filled.source !== null)
      tell(`address: ${describeAddress(filled.address, filled.source)}`);
    return filled.address;
  };
  return { fill };
}
