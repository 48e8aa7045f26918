import type { Command } from "commander";
import { type AnswerNamed, untyped } from "../../../client/client.ts";
import { exitCodes, failure } from "../../../errors/errors.ts";
import { type ApiVersion, defaultVersion } from "../../../models/api-versions.ts";
import { eventActionsOf } from "../../../models/event-kinds.ts";
import { recordEvents } from "../../../models/hook.ts";
import { findUrlProblem } from "../../../models/http-url.ts";
import { sampleId } from "../../../models/versions/sample-record.ts";
import type { EventRecord, RecordEvent } from "../../../operations/hooks/event-payload.ts";
import { programVersion } from "../../../runtime/program-version.ts";
import { toHttpStatus, toMessage } from "../../../webhooks/attempt-outcome.ts";
import { addFormOption, addTargetOptions, versionOption } from "../../common-options.ts";
import type { CliContext, OptionValues } from "../../context.ts";
import { parseId } from "../../input/option-values.ts";
import { readSecret } from "../../input/read-secret.ts";
import { AlreadyShown } from "../../outcome/already-shown.ts";
import { showFacts, tell } from "../../output/tell.ts";
import { namedVersion } from "../../settings.ts";
import type { Target } from "../../target/target.ts";
import { useTarget } from "../../target/use-target.ts";
import { defineBuiltin } from "../builtin.ts";
import type { ListedEvent } from "../hooks-listen/event-log.ts";
import { type OwnReceiver, toOwnDelivery } from "../hooks-listen/own-delivery.ts";

export function hooksTriggerCommand(context: CliContext): Command {
  const command = defineBuiltin("trigger", "write")
    .description(
      "Send the delivery that a change of the record would cause now, to one webhook or a URL. Nothing is stored: no event and no delivery, and the webhook stays unchanged. Exit code 0 if the answer is 2xx, else 9.",
    )
    .argument(
      "<event>",
      `kind of the event, or with its action like Job:completed: ${recordEvents.join(", ")}`,
    )
    .option("--record <id>", "ID of the record; for CustomerLocation, of the customer")
    .option("--sample", "send a sample record with a value in every field instead")
    .option("--location <id>", "the record's location; needed for CustomerLocation only")
    .option("--action <word>", "action of the event; default: updated")
    .option("--hook <id>", "send to this webhook's URL, signed with its secret, in its version")
    .option("--to <url>", "send to this URL instead, signed with the secret of --secret-file")
    .option("--secret-file <file>", "with --to: file that holds the secret, - for standard input")
    .addOption(versionOption("version of the body (default the webhook's own, with --to 2019/02/08)"));
  addFormOption(addTargetOptions(command)).addHelpText(
    "after",
    "\nExample:\n  dispatch-cli hooks trigger Job --record 2 --action completed --hook 1\n  dispatch-cli hooks trigger Job --sample --action completed --hook 1",
  );
  return command.action(async (event: string) => {
    const options = command.opts();
    const [kind = "", named = null] = event.split(/:(.*)/s, 2);
    const record = parseRecord(kind, options);
    const action = parseAction(record.kind, named, options.action);
    const receiver = await parseReceiver(context, options);
    return useTarget(context, options, async (target, settings) => {
      const sent = await trigger(target, { record, action, receiver }, namedVersion(settings));
      showFacts(context, settings, sent, toSentences(sent));
      if (settings.form === "table") tell(context.stderr, "Nothing was stored.");
      if (sent.http_status < 200 || sent.http_status > 299) throw new AlreadyShown(exitCodes.answerIsNo);
    });
  });
}

type Receiver = { hookId: number } | { url: string; secret: string };

interface Trigger {
  record: EventRecord;
  action: string;
  receiver: Receiver;
}

function parseRecord(event: string, options: OptionValues): EventRecord {
  const kind = recordEvents.find((known) => known.toLowerCase() === event.toLowerCase());
  if (!kind) {
    const ping = event.toLowerCase() === "ping" ? " `dispatch-cli hooks ping <id>` sends a Ping." : "";
    throw failure("usage", `The event must be one of ${recordEvents.join(", ")}, not "${event}".${ping}`);
  }
  if ((options.record === undefined) !== (options.sample === true))
    throw failure("usage", "Name a record with --record, or use --sample.");
  if (options.sample === true) return { kind, id: sampleId, locationId: null, isSample: true };
  const location = options.location === undefined ? null : parseId(options.location, "--location");
  if (kind === "CustomerLocation" && location === null)
    throw failure(
      "usage",
      "A CustomerLocation is a customer (--record) at a location: name it with --location.",
    );
  return { kind, id: parseId(options.record, "--record"), locationId: location };
}

/** Throws if the event name and the option contradict. */
function parseAction(kind: RecordEvent, named: string | null, option: string | undefined): string {
  if (named !== null && option !== undefined && named !== option)
    throw failure("usage", `The event says ${named} and --action says ${option}; leave one of them out.`);
  const action = named ?? option ?? "updated";
  const known = eventActionsOf(kind);
  if (known.includes(action)) return action;
  throw failure("usage", `The action of a ${kind} must be one of ${known.join(", ")}, not "${action}".`);
}

async function parseReceiver(context: CliContext, { hook, to, secretFile }: OptionValues): Promise<Receiver> {
  if ((hook === undefined) === (to === undefined))
    throw failure("usage", "Name the receiver: either --hook, or --to with --secret-file.");
  if (hook !== undefined) {
    if (secretFile !== undefined)
      throw failure("usage", "A webhook has its own secret; leave out --secret-file.");
    return { hookId: parseId(hook, "--hook") };
  }
  const url = String(to);
  const problem = findUrlProblem(url);
  if (problem !== null) throw failure("usage", `--to ${problem}.`);
  if (typeof secretFile !== "string") throw failure("usage", "--to needs --secret-file, to sign with.");
  return { url, secret: (await readSecret(context, secretFile)).text };
}

type Sent = AnswerNamed<"hooks.trigger">;

/** The target calls a webhook, because it has the secret. This program calls a URL. */
async function trigger(
  { client, tenant }: Target,
  asked: Trigger,
  version: ApiVersion | null,
): Promise<Sent> {
  const { kind, id, isSample, locationId } = asked.record;
  const record = {
    action: asked.action,
    ...(isSample ? { sample: true } : { record_id: id }),
    type: kind,
    ...(locationId !== null && { location_id: locationId }),
  };
  if ("hookId" in asked.receiver) {
    return client.call("hooks.trigger", {
      params: { hook_id: asked.receiver.hookId },
      body: { ...record, ...(version !== null && { api_version: version }) },
    });
  }
  const bodyVersion = version ?? defaultVersion;
  const request = { query: record, version: bodyVersion };
  const event = (await untyped(client).call("events.preview", request)) as AnswerNamed<"events.preview">;
  return sendFromHere(event, { ...asked.receiver, tenantId: tenant.id, version: bodyVersion });
}

async function sendFromHere(event: ListedEvent, receiver: OwnReceiver): Promise<Sent> {
  const delivery = toOwnDelivery(event, receiver);
  const { createSender } = await import("../../../webhooks/send.ts");
  const sender = createSender({ allowPrivateAddresses: true, userAgent: `dispatch-cli/${programVersion}` });
  const outcome = await sender.send(delivery.toRequest()).finally(() => sender.close());
  return {
    action: event.action,
    api_version: receiver.version,
    delivery_id: delivery.uuid,
    duration_ms: outcome.durationMs,
    event_id: event.id,
    http_status: toHttpStatus(outcome),
    message: toMessage(outcome),
    record_id: event.record_id,
    type: event.type as RecordEvent,
    url: receiver.url,
  };
}

function toSentences(sent: Sent): string[] {
  return [
    `Sent ${sent.type} ${sent.record_id} ${sent.action}, version ${sent.api_version}, to ${sent.url} (delivery ${sent.delivery_id}).`,
    `Status ${sent.http_status} after ${sent.duration_ms} ms: ${sent.message}`,
  ];
}
