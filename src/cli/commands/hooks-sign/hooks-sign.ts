import { randomUUID } from "node:crypto";
import { Command } from "commander";
import { failure } from "../../../errors/errors.ts";
import { parseTimestamp } from "../../../models/timestamps.ts";
import { systemClock, toEpochMs } from "../../../runtime/clock.ts";
import { decodeSecret } from "../../../webhooks/secret.ts";
import { toServiceSignature, toStandardWebhookHeaders } from "../../../webhooks/sign.ts";
import { addFormOption } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { readSecret } from "../../input/read-secret.ts";
import { readBytes } from "../../input/read-text.ts";
import { showFacts } from "../../output/tell.ts";
import { readSettings } from "../../settings.ts";

/** Prints the headers of a signed sample for a receiver's own test. Needs no target. */
export function hooksSignCommand(context: CliContext): Command {
  const command = new Command("sign")
    .description(
      "Print the headers that a delivery of a body would have, signed, for a test of a receiver. What they tell besides is the body's own, where it is that of a delivery.",
    )
    .requiredOption("--secret-file <file>", "file that holds the secret, also with whsec_ before it")
    .requiredOption("--body <file>", "file of the body's bytes, - for standard input")
    .option("--id <id>", "the event's id; by default the body's own, else a new one")
    .option("--timestamp <time>", "when it is sent: Unix seconds or a date in UTC; by default now");
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
      throw failure("usage", "Standard input (-) can be one of the files only.");
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
  throw failure("usage", "--id must be 1 to 256 visible ASCII characters without blanks.");
}

function parseSeconds(text: string | undefined): number {
  if (text === undefined) return Math.floor(toEpochMs(systemClock.now()) / 1000);
  if (/^\d{1,12}$/.test(text)) return Number(text);
  const moment = parseTimestamp(text);
  if (moment) return Math.floor(toEpochMs(moment) / 1000);
  throw failure(
    "usage",
    `--timestamp must be Unix seconds, or a date like 2026-11-21T08:30:00Z, not "${text}".`,
  );
}

/** What the body of a delivery tells of its headers; nothing where it is another body. */
function readTold(body: Buffer): { id?: string; headers: Record<string, string> } {
  const event = parseJson(body);
  const toHeader = (name: string, value: unknown) =>
    typeof value === "string" || typeof value === "number" ? { [name]: toSafe(String(value)) } : {};
  const headers = {
    ...toHeader("x-api-version", event.api_version),
    ...toHeader("x-service-event", event.type),
    ...toHeader("x-tenant-id", event.tenant_id),
  };
  return typeof event.id === "string" && event.id !== "" ? { id: toSafe(event.id), headers } : { headers };
}

/** A header holds no line ends, whatever a body says. */
const toSafe = (value: string) => value.replace(/[^\x21-\x7e]/g, "").slice(0, 256);

function parseJson(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body.toString("utf8"));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
