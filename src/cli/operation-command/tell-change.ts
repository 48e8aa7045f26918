import { type Client, untyped } from "../../client/client.ts";
import type { Operation } from "../../core/operation.ts";
import { changesRecord } from "../../core/precondition.ts";
import { DispatchError } from "../../errors/errors.ts";
import type { JsonObject } from "../../models/json.ts";
import type { AnswerModel } from "../../models/model.ts";
import { holdsSecretValue } from "../../models/shows-secret.ts";

import { findKindOfOperation } from "../../records/find-kind.ts";
import { type Change, namesIn, ownerOf, tellChange } from "../presentation/change.ts";
import type { Told } from "../presentation/presentation.ts";
import type { View } from "../presentation/view.ts";
import type { ParsedCommand } from "./parse.ts";

/** The record as it is before the change, where the line says it: read first, because the answer says only what is. */
export async function readBefore(command: ParsedCommand, client: Client): Promise<JsonObject | null> {
  const { input, operation, own } = command;
  const told = toldOf(command);
  if (!needsBefore(operation, told) || (own?.ids.length ?? 0) > 1) return null;
  const { record } = operation.changes;
  if (!record || !changesRecord(operation)) return null;
  const params = Object.fromEntries(
    Object.keys(record.params).map((name) => [name, input.params[name] ?? ""]),
  );
  const reading = untyped(client).call(record.name, { params }) as Promise<JsonObject>;
  // What cannot be read is refused by the change itself, in its own words.
  return reading.catch((error: unknown) => {
    if (error instanceof DispatchError) return null;
    throw error;
  });
}

/** The line for an answer; null for one that is shown whole: no record, or one with a secret that is shown once. */
export async function tellAnswer(
  command: ParsedCommand,
  text: string,
  before: JsonObject | null,
): Promise<string | null> {
  const { input, operation, output } = command;
  const after = JSON.parse(text) as JsonObject;
  const view = output?.view;
  const told = toldOf(command);
  if (!view || (typeof after.id === "undefined" && !told)) return null;
  const isMade = !isPatch(operation) && !told;
  if (isMade && holdsSecretValue(operation.output as AnswerModel, after)) return null;
  const change: Change = {
    kind: findKindOfOperation(operation.name),
    before,
    after,
    done: toDone(operation),
    given: Object.keys(input.body ?? {}),
    params: input.params,
  };
  await learnChange(change, told, view);
  return (told?.tell ?? tellChange)(change, view);
}

/** Learns what the line names: what the changed fields name, and whose part the record is. */
async function learnChange(change: Change, told: Told | undefined, view: View): Promise<void> {
  const { after, before } = change;
  const records = before === null ? [after] : [before, after];
  await view.learn(records, told?.names ?? namesIn(change));
  const owner = ownerOf(change);
  if (owner) await view.learn([owner.record], [owner.field]);
  const others = told?.learns?.(change);
  if (others) await view.learn(others.records, others.fields);
}

/** What an operation does, in the word of its command: `addresses add` added one. */
function toDone(operation: Operation): string {
  const { name } = operation;
  if (isPatch(operation)) return "changed";
  const verb = name.slice(name.indexOf(".") + 1);
  return doneWords[verb] ?? verb.replace(/e?$/, "ed");
}

const isPatch = ({ route }: Operation) => route.startsWith("PATCH ");

const doneWords: Readonly<Record<string, string>> = { send: "sent" };

const toldOf = ({ presentation, shorthand }: ParsedCommand): Told | undefined =>
  shorthand?.told ?? presentation.told;

/** What is told of any change is what is other than before. */
const needsBefore = (operation: Operation, told: Told | undefined) =>
  told === undefined ? isPatch(operation) : told.needsBefore === true;
