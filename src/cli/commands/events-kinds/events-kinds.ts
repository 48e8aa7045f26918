import type { Command } from "commander";
import { type ApiVersion, defaultVersion } from "../../../models/api-versions.ts";
import { eventModels } from "../../../models/event.ts";
import { eventActionsOf, eventKinds, type HookEvent, hookEvents } from "../../../models/event-kinds.ts";
import { sampleId, sampleRecord } from "../../../models/versions/sample-record.ts";
import { toBody } from "../../../webhooks/event-body.ts";
import { addFormOption, versionOption } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { showFacts } from "../../output/tell.ts";
import { namedVersion, readSettings } from "../../settings.ts";
import { defineBuiltin } from "../builtin.ts";

export function eventsKindsCommand(context: CliContext): Command {
  const command = defineBuiltin("kinds", "read")
    .description(
      "List the kinds of events: their actions, when they happen, and the fields of their bodies. With -o json, each has an example body.",
    )
    .addOption(versionOption("version of the example bodies (default 2019/02/08)"));
  addFormOption(command).addHelpText(
    "after",
    "\nExample:\n  dispatch-cli events kinds\n  dispatch-cli events kinds -o json --api-version 2023/04/19",
  );
  return command.action(async () => {
    const settings = readSettings(context, command.opts());
    const version = namedVersion(settings) ?? defaultVersion;
    const kinds = hookEvents.map((kind) => ({
      type: kind,
      summary: eventKinds[kind].summary,
      data: eventKinds[kind].data,
      actions: eventActionsOf(kind).map((action) => ({
        action,
        subscription: `${kind}:${action}`,
        happens: toHappening(kind, action),
      })),
      example: JSON.parse(toExample(kind, version)) as unknown,
    }));
    showFacts(context, settings, { api_version: version, kinds }, hookEvents.flatMap(toLines));
  });
}

const toHappening = (kind: HookEvent, action: string) =>
  (eventKinds[kind].actions as Readonly<Record<string, string>>)[action] ?? "";

function toExample(kind: HookEvent, apiVersion: ApiVersion): string {
  const data = kind === "Ping" ? { id: sampleId } : sampleRecord(eventModels[kind]);
  const [action = ""] = eventActionsOf(kind);
  const facts = { uuid: exampleUuid, action, createdOn: exampleTime, kind, previous: null };
  return toBody({ ...facts, data: JSON.stringify(data) }, 1, {
    apiVersion,
    includesCause: false,
    includesPrevious: false,
  });
}

const exampleUuid = "2f1b1f0e-6c3b-4c55-9d3e-0a8f6d1c2b3a";
const exampleTime = "2026-11-21T08:30:00.000000";

function toLines(kind: HookEvent): string[] {
  const actions = eventActionsOf(kind);
  const width = Math.max(...actions.map((action) => `${kind}:${action}`.length));
  return [
    `${kind}  ${eventKinds[kind].summary}; data: ${eventKinds[kind].data}`,
    ...actions.map((action) => `  ${`${kind}:${action}`.padEnd(width)}  ${toHappening(kind, action)}`),
  ];
}
