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

/** Only if the line needs it: the response has only new values. */
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
  // The change itself reports an unreadable record.
  return reading.catch((error: unknown) => {
    if (error instanceof DispatchError) return null;
    throw error;
  });
}

/** null if the whole response is shown: no record, or a new secret. */
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

/** Names for the changed fields, and for the record's owner. */
async function learnChange(change: Change, told: Told | undefined, view: View): Promise<void> {
  const { after, before } = change;
  const records = before === null ? [after] : [before, after];
  await view.learn(records, told?.names ?? namesIn(change));
  const owner = ownerOf(change);
  if (owner) await view.learn([owner.record], [owner.field]);
  const others = told?.learns?.(change);
  if (others) await view.learn(others.records, others.fields);
}

/** In the past tense: `addresses add` → added. */
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

const needsBefore = (operation: Operation, told: Told | undefined) =>
  told === undefined ? isPatch(operation) : told.needsBefore === true;
