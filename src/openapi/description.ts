import type { Operation } from "../core/operation.ts";
import { type ApiVersion, apiVersions } from "../models/api-versions.ts";
import { endingOf, toEndingText, versionEndings } from "../models/versions/endings.ts";
import { changes } from "../models/versions/index.ts";

/** The introduction of the document (Markdown): what it holds for, and what changed at which version. */
export function toDescription(operations: readonly Operation[], version: ApiVersion): string {
  const history = apiVersions.map((each) => `- **${each}**: ${historyOf(each, operations).join(" ")}`);
  return [
    `Customers, jobs, trucks and webhooks of a multi-tenant dispatch service, as callers at version ${version} see them: send \`x-api-version: ${version}\`.`,
    `## Versions\n\nEach request names its version in \`x-api-version\`, and each answer the version in effect. Documents of the other versions: \`GET /openapi.json?version=…\`. What changed when:\n\n${history.join("\n")}`,
    conventions,
    extensions,
  ].join("\n\n");
}

const conventions = `## Access

A request carries an access token, \`authorization: Bearer …\`, which is its user's and lasts until it expires or is revoked. \`GET /tenants\` lists the tenants that it reaches; every other request names one of them in \`x-tenant-id\`, and nothing of another tenant can be seen. Each operation lists the roles that may call it. No role includes another, and what a role does not see is answered as if it were not there (404).

## Values

Times are UTC, to the microsecond and without a zone, like \`2026-11-21T08:30:00.000000\`; sent times are ISO 8601, with any zone, and UTC without one. Answers have all their fields, null where there is no value, with their keys in alphabetical order. Later versions of the program may add fields to answers, so readers pass over those that they do not know. Requests take no field or parameter that is not listed. Records are never deleted: they are deactivated.

## Errors

An error says its \`code\`, what is wrong in \`detail\`, and everything that is wrong in \`errors\`; \`request_id\` is what to ask about. Who accepts \`application/problem+json\` gets RFC 9457 problem details. Codes are added, never renamed. An error means that nothing was stored.

## Lists

\`page_index\` counts from 1, \`page_limit\` is 1 to 1000 (100 unless given). The header \`Link\` (RFC 8288) leads to the first, previous, next and last page; \`total_count\` is capped at 100,000 and \`total_pages\` at 1,000. Where there is \`page_after\`, it reads on behind a record, past any number of them.

## Repeating and comparing

A write with an \`Idempotency-Key\` is carried out once in 24 hours: sent again, it gets the first answer. A GET has an \`ETag\`: as \`If-None-Match\` it saves reading the same again (304), as \`If-Match\` it makes a change only while nobody else has made one. \`x-dry-run: true\` checks a write and stores nothing.

## What happens, as it happens

\`GET /stream\` sends the events of the tenant as server-sent events (\`text/event-stream\`), with the headers of every request: \`event\` is the kind, \`id\` the event's id, \`data\` the body that a webhook gets, at the newest version unless \`x-api-version\` names another. An event is sent to who may get its record. \`Last-Event-ID\` goes on behind an event; \`Missed\` comes first when that is not kept any more.

## Limits

A body has at most 1 MiB and 10,000 values, the headers 16 KiB, and a request arrives within 30 seconds. A server may bound the requests of each token: \`RateLimit-Policy\` and \`RateLimit\` say how many there are and how many are left, 429 with \`Retry-After\` when none is.`;

const extensions = [
  "## Extensions",
  "",
  "What OpenAPI has no word for:",
  "",
  "- `x-roles`: the roles that may call the operation, to the letter; none where anybody may, without a token.",
  "- `x-events`: the kinds of events that it may send to webhooks.",
  "- `x-extension`: the operation or field is an addition of this product.",
  "- `x-when`: the date must lie in the past (not later than the request) or in the future.",
].join("\n");

/** What a version changed, in sentences. */
export function historyOf(version: ApiVersion, operations: readonly Operation[]): string[] {
  const ends = versionEndings[version];
  const texts = [
    ...changes.filter(({ introduced }) => introduced === version).map(({ text }) => text),
    ...operations
      .filter(({ lifetime }) => lifetime?.until === version)
      .map((operation) => {
        const ending = endingOf(operation, version);
        const text = `The last version that has ${operation.route}`;
        return ending ? `${text}, which is ${toEndingText(ending)}.` : `${text}.`;
      }),
    ...(ends ? [`This version is ${toEndingText(ends)}.`] : []),
  ];
  if (texts.length > 0) return texts;
  return [version === apiVersions[0] ? "The first version." : "Nothing is known to have changed."];
}
