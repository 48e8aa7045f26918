import type { Caller } from "../../core/caller.ts";
import type { Operation } from "../../core/operation.ts";
import { DispatchError, exitCodes, failure } from "../../errors/errors.ts";
import { newestVersion } from "../../models/api-versions.ts";
import { loadOperation, type OperationName, operationNames } from "../../operations/index.ts";
import type { CommandInput } from "../input/input.ts";
import { nounOfField } from "../input/noun-of-field.ts";
import { exitCodeOf } from "../outcome/exit-code-of.ts";
import { toVisible } from "../output/text.ts";

/** A record that may be chosen, as people know it. */
export interface FoundRecord {
  id: number;
  label: string;
}

/** The records that an id may name, by what was typed of them. */
export interface RecordFinder {
  /** What one of them is called. */
  noun: string;
  find(term: string): Promise<FoundRecord[]>;
  /** The only one there is. */
  only: FoundRecord | null;
}

/** The fields that must be known before the records of an id field can be listed. */
export function prerequisitesOf(field: string): readonly string[] {
  return nounOfField(field) === "addresses" ? ["requested_by"] : [];
}

/**
 * The finder for an id field, when it names records that have a list and the caller may see it; else null. Throws a
 * usage error when there is nothing to choose from.
 */
export async function openFinder(
  caller: Caller,
  field: string,
  input: CommandInput,
): Promise<RecordFinder | null> {
  const noun = nounOfField(field);
  const known = toKnownIds(input);
  const operation = noun && (await findList(noun, known));
  if (!operation) return null;
  const list = (query: Record<string, string>) => listRecords(caller, operation, known, query);
  try {
    const first = await list({});
    const [record] = first;
    const one = toSingular(noun);
    if (!record)
      throw failure(
        "usage",
        `There is no ${one} to choose from; \`dispatch-cli ${noun} --help\` shows how to make one.`,
      );
    const only = first.length === 1 ? record : null;
    return { noun: one, only, find: (term) => findByTerm(term, first, list, "name" in operation.query) };
  } catch (error) {
    // Who may not list may still know the id.
    if (error instanceof DispatchError && exitCodeOf(error) === exitCodes.forbidden) return null;
    throw error;
  }
}

const toSingular = (noun: string) => noun.replace(/(?<=ss)es$|s$/, "").replaceAll("-", " ");

/** What is known of the path of a list: of a job, the customer whose addresses it takes, too. */
function toKnownIds({ body, params }: CommandInput): Record<string, string> {
  const customer = body?.customer_id ?? body?.requested_by;
  return { ...(customer !== undefined && customer !== null && { customer_id: String(customer) }), ...params };
}

/** The list of a noun whose path is known; a location's own before the tenant's. */
async function findList(noun: string, known: Readonly<Record<string, string>>): Promise<Operation | null> {
  const names = [`locations.${noun}`, `${noun}.list`].filter((name): name is OperationName =>
    operationNames.some((operation) => operation === name),
  );
  for (const name of names) {
    const operation = await loadOperation(name);
    if (Object.keys(operation.params).every((param) => known[param] !== undefined)) return operation;
  }
  return null;
}

const recordsMax = 1000;

async function listRecords(
  caller: Caller,
  operation: Operation,
  known: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string>>,
): Promise<FoundRecord[]> {
  const params = Object.fromEntries(
    Object.keys(operation.params).map((param) => [param, known[param] ?? ""]),
  );
  const answer = await caller.call(operation, {
    params,
    query: {
      ...query,
      page_limit: String(recordsMax),
      ...("active" in operation.query && { active: "true" }),
    },
    body: undefined,
    version: newestVersion,
    dryRun: false,
  });
  if (answer.kind === "file") throw new Error(`${operation.name} answers no file.`);
  const { results } = JSON.parse(answer.text) as { results: (Record<string, unknown> & { id: number })[] };
  return results.map((record) => ({ id: record.id, label: toLabel(record) }));
}

/** Where the list is longer than what was read of it, names are looked for where all of them are. */
async function findByTerm(
  term: string,
  first: readonly FoundRecord[],
  list: (query: Record<string, string>) => Promise<FoundRecord[]>,
  hasNames: boolean,
): Promise<FoundRecord[]> {
  const wanted = term.trim().toLowerCase();
  const found = first.filter(({ label }) => label.toLowerCase().includes(wanted));
  if (first.length < recordsMax || wanted === "") return found;
  const named = hasNames ? await list({ name: `*${term.trim()}*` }) : found;
  const isId = /^[1-9]\d{0,14}$/.test(wanted) && !named.some(({ id }) => String(id) === wanted);
  return isId ? [{ id: Number(wanted), label: `the one with the id ${wanted}` }, ...named] : named;
}

/** What people call a record, and its id. */
function toLabel(record: Readonly<Record<string, unknown>> & { id: number }): string {
  const { description, id, line_1, locality, name, number, out_of_service, url, username } = record;
  const texts = [
    name ?? username ?? line_1 ?? number ?? url,
    line_1 === undefined ? null : locality,
    description,
  ];
  const shown = texts.filter((text): text is string => typeof text === "string" && text !== "");
  const first = firstAddress(record);
  const state = out_of_service === true ? "out of service" : null;
  return toVisible([...shown, first, state, `id ${id}`].filter((text) => text !== null).join(" · "));
}

/** Of customers of one name, the address tells which. */
function firstAddress({ addresses }: Readonly<Record<string, unknown>>): string | null {
  if (!Array.isArray(addresses)) return null;
  const [address] = addresses as { line_1: string; locality: string }[];
  return address ? `${address.line_1}, ${address.locality}` : null;
}
