import { Command } from "commander";
import { exitCodes, failure } from "../../errors.ts";
import { findUrlProblem } from "../../models/http-url.ts";
import {
  eventActions,
  type RecordEvent,
  type ToldRecord,
  tellRecord,
} from "../../operations/hooks/told-record.ts";
import { found, requireTenantWide } from "../../operations/records.ts";
import { type ApiVersion, defaultVersion } from "../../versions/api-versions.ts";
import { isSuccess, type Outgoing, toHookRequest, toHttpStatus, toMessage } from "../../webhooks/deliver.ts";
import { AlreadyShown } from "../already-shown.ts";
import { addFormOption, addTargetOptions, versionOption } from "../common-options.ts";
import { parseId } from "../parse-id.ts";
import { readSecret } from "../read-secret.ts";
import { type OptionValues, readSettings } from "../settings.ts";
import { showFacts } from "../show-facts.ts";
import { openTarget, type StoreTarget } from "../target.ts";
import type { World } from "../world.ts";

/** Sends what a real event of a record would send, to one webhook or a URL, and changes nothing. */
export function hooksTriggerCommand(world: World): Command {
  const command = new Command("trigger")
    .description(
      "Send the delivery that an event of a record would make now, to one webhook or a URL. Nothing is stored: no event, no delivery, no time of the webhook. Exit code 0 when the answer is 2xx, else 9. Works on a store.",
    )
    .argument("<event>", `kind of the event: ${Object.keys(eventActions).join(", ")}`)
    .requiredOption("--record <id>", "the record; for CustomerLocation the customer")
    .option("--location <id>", "the record's location; needed for CustomerLocation only")
    .option("--action <word>", "what happened to it", "updated")
    .option("--hook <id>", "send to this webhook's URL, signed with its secret, in its version")
    .option("--to <url>", "send to this URL instead, signed with the secret of --secret-file")
    .option("--secret-file <file>", "with --to: file that holds the secret, - for standard input")
    .addOption(versionOption("version of the body (default the webhook's own, with --to 2019/02/08)"));
  addFormOption(addTargetOptions(command)).addHelpText(
    "after",
    "\nExample:\n  dispatch-cli hooks trigger Job --record 2 --action completed --hook 1",
  );
  return command.action(async (event: string) => {
    const options = command.opts();
    // Of the environment's version, which is for answers, bodies know nothing.
    const settings = readSettings({ ...world, env: { ...world.env, DISPATCH_API_VERSION: "" } }, options);
    if (settings.url.value !== null) throw failure("usage", storesOnly);
    const record = parseRecord(event, options);
    const action = parseAction(record.kind, String(options.action));
    const receiver = await parseReceiver(world, options);
    const target = await openTarget(world, settings);
    try {
      if (target.kind === "server") throw failure("usage", storesOnly);
      const shown = await trigger(target, { record, action, receiver }, settings.apiVersion.value);
      showFacts(world, settings, shown.facts, shown.sentences);
      if (settings.form === "table") world.stderr.write("Nothing was stored of it.\n");
      if (!shown.isSuccess) throw new AlreadyShown(exitCodes.answerIsNo);
    } finally {
      await target.caller.close();
    }
  });
}

const storesOnly = "`hooks trigger` works on stores (--data) for now, not on a server.";

type Receiver = { hookId: number } | { url: string; secret: string };

interface Trigger {
  record: ToldRecord;
  action: string;
  receiver: Receiver;
}

function parseRecord(event: string, options: OptionValues): ToldRecord {
  const kinds = Object.keys(eventActions) as RecordEvent[];
  const kind = kinds.find((known) => known.toLowerCase() === event.toLowerCase());
  if (!kind) {
    const ping = event.toLowerCase() === "ping" ? " `dispatch-cli hooks ping <id>` sends a Ping." : "";
    throw failure("usage", `The event must be one of ${kinds.join(", ")}, not "${event}".${ping}`);
  }
  const location = options.location === undefined ? null : parseId(options.location, "--location");
  if (kind === "CustomerLocation" && location === null)
    throw failure(
      "usage",
      "A CustomerLocation is a customer (--record) at a location: name it with --location.",
    );
  return { kind, id: parseId(options.record, "--record"), locationId: location };
}

function parseAction(kind: RecordEvent, action: string): string {
  const known = eventActions[kind];
  if (known.includes(action)) return action;
  throw failure("usage", `--action of a ${kind} must be one of ${known.join(", ")}, not "${action}".`);
}

async function parseReceiver(world: World, { hook, to, secretFile }: OptionValues): Promise<Receiver> {
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
  return { url, secret: (await readSecret(world, secretFile)).text };
}

/** Reads all that is sent in one transaction, and sends it. */
async function trigger({ service, actor }: StoreTarget, asked: Trigger, version: ApiVersion | null) {
  if (!actor.roles.some((role) => role === "Admin" || role === "Dispatcher"))
    throw failure("role_not_allowed", "Webhooks are called by an Admin or a Dispatcher only.");
  requireTenantWide(actor);
  const { kind, id } = asked.record;
  const { hook, data } = await service.store.read(actor.scope, async (store) => ({
    hook:
      "hookId" in asked.receiver ? await findHook(store, asked.receiver.hookId) : toNoHook(asked.receiver),
    data: await tellRecord(store, asked.record),
  }));
  const now = service.clock.now();
  const outgoing: Outgoing = {
    tenantId: actor.scope.tenantId,
    deliveryUuid: service.makeUuid(),
    event: {
      uuid: service.makeUuid(),
      action: asked.action,
      createdOn: now,
      data: JSON.stringify(data),
      kind,
    },
    hook: { ...hook, apiVersion: version ?? hook.apiVersion },
  };
  const outcome = await (await service.sender()).send(
    toHookRequest(outgoing, now, service.machineClock.now()),
  );
  const facts = {
    action: asked.action,
    api_version: outgoing.hook.apiVersion,
    delivery_id: outgoing.deliveryUuid,
    duration_ms: outcome.durationMs,
    event_id: outgoing.event.uuid,
    http_status: toHttpStatus(outcome),
    message: toMessage(outcome),
    record_id: id,
    type: kind,
    url: hook.url,
  };
  const sentences = [
    `Sent ${kind} ${id} ${asked.action}, version ${facts.api_version}, to ${hook.url} (delivery ${facts.delivery_id}).`,
    `Status ${facts.http_status} after ${facts.duration_ms} ms: ${facts.message}`,
  ];
  return { facts, sentences, isSuccess: isSuccess(outcome) };
}

type TenantStore = Parameters<typeof tellRecord>[0];

async function findHook(store: TenantStore, hookId: number): Promise<Outgoing["hook"]> {
  const hook = found(await store.hooks.find(hookId), "webhook", hookId);
  if (hook.deleted_at !== null)
    throw failure(
      "state_conflict",
      `Webhook ${hook.id} was deactivated on ${hook.deleted_at}; it is not called.`,
    );
  return {
    apiVersion: hook.api_version,
    oldSecret: hook.old_secret,
    oldSecretUntil: hook.old_secret_until,
    secret: hook.secret,
    url: hook.url,
  };
}

/** What a webhook at that URL would be, with the version that one has by default (OP-75). */
function toNoHook({ url, secret }: { url: string; secret: string }): Outgoing["hook"] {
  return { apiVersion: defaultVersion, oldSecret: null, oldSecretUntil: null, secret, url };
}
