import { randomUUID } from "node:crypto";
import type { Command } from "commander";
import { failure } from "../../../errors/errors.ts";
import { parseObject } from "../../../models/json.ts";
import { parseTimestamp } from "../../../models/timestamps.ts";
import { readEpochMs, toEpochMs } from "../../../runtime/clock.ts";
import { decodeSecret } from "../../../webhooks/secret.ts";
import { toServiceSignature, toStandardWebhookHeaders } from "../../../webhooks/sign.ts";
import { addFormOption } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { readSecret } from "../../input/read-secret.ts";
import { readBytes } from "../../input/read-text.ts";
import { showFacts } from "../../output/tell.ts";
import { readSettings } from "../../settings.ts";
import { defineBuiltin } from "../builtin.ts";

export function hooksSignCommand(context: CliContext): Command {
  const command = defineBuiltin("sign", "read")
    .description(
      "Print the signed headers of a delivery with this body, to test a receiver. If the body comes from a delivery, its ID and event fill the other headers.",
    )
    .requiredOption("--secret-file <file>", "file with the secret, with or without whsec_")
    .requiredOption("--body <file>", "file with the body, - for standard input")
    .option("--id <id>", "ID of the event; default: the body's own, else a new one")
    .option("--timestamp <time>", "time of the delivery: Unix seconds or a date in UTC; default: now");
  addFormOption(command).addHelpText(
    "after",
    `
Example:
  dispatch-cli hooks sign --secret-file secret.txt --body body.json > headers.txt
  curl --data-binary @body.json -H @headers.txt http://localhost:3000/hook`,
  );
  return command.action(async () => {
    const { body: bodyFile, id, secretFile, timestamp, ...options } = command.opts();
    const settings = readSettings(context, options);
    if (secretFile === "-" && bodyFile === "-")
      throw failure("usage", "Only one of the files can be standard input (-).");
    const timestampSeconds = parseSeconds(timestamp);
    const key = decodeSecret((await readSecret(context, secretFile)).text);
    const body = await readBytes(context, bodyFile);
    const told = readTold(body);
    const headers: Record<string, string> = {
      "content-type": "application/json",
      ...told.headers,
      "x-service-signature": toServiceSignature(key, body),
      ...toStandardWebhookHeaders({
        id: parseEventId(id) ?? told.id ?? randomUUID(),
        timestampSeconds,
        body,
        keys: [key],
      }),
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    showFacts(context, settings, headers, lines);
  });
}

function parseEventId(id: string | undefined): string | undefined {
  if (id === undefined || /^[\x21-\x7e]{1,256}$/.test(id)) return id;
  throw failure("usage", "--id must be 1 to 256 visible ASCII characters without spaces.");
}

function parseSeconds(text: string | undefined): number {
  if (text === undefined) return Math.floor(readEpochMs() / 1000);
  if (/^\d{1,12}$/.test(text)) return Number(text);
  const moment = parseTimestamp(text);
  if (moment) return Math.floor(toEpochMs(moment) / 1000);
  throw failure(
    "usage",
    `--timestamp must be Unix seconds, or a date like 2026-11-21T08:30:00Z, not "${text}".`,
  );
}

/** None for a body that is not a delivery. */
function readTold(body: Buffer): { id?: string; headers: Record<string, string> } {
  const event = parseObject(body.toString("utf8")) ?? {};
  const toHeader = (name: string, value: unknown) =>
    typeof value === "string" || typeof value === "number" ? { [name]: toSafe(String(value)) } : {};
  const headers = {
    ...toHeader("x-api-version", event.api_version),
    ...toHeader("x-service-event", event.type),
    ...toHeader("x-tenant-id", event.tenant_id),
  };
  return typeof event.id === "string" && event.id !== "" ? { id: toSafe(event.id), headers } : { headers };
}

/** A header must not contain line breaks. */
const toSafe = (value: string) => value.replace(/[^\x21-\x7e]/g, "").slice(0, 256);
