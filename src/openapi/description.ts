import type { Operation } from "../core/operation.ts";
import { type ApiVersion, apiVersions } from "../models/api-versions.ts";
import { changes, endingOf, toEndingText, versionEndings } from "../models/versions/index.ts";

/** In Markdown. */
export function toDescription(operations: readonly Operation[], version: ApiVersion): string {
  const history = apiVersions.map((each) => `- **${each}**: ${historyOf(each, operations).join(" ")}`);
  return [
    `Customers, jobs, trucks and webhooks of a multi-tenant dispatch service, at version ${version}: send \`x-api-version: ${version}\`.`,
    `## Versions\n\nEach request names its version in \`x-api-version\`, and each answer the version in effect. Documents of the other versions: \`GET /openapi.json?version=…\`. Changes:\n\n${history.join("\n")}`,
    conventions,
    extensions,
  ].join("\n\n");
}

const conventions = `## Access

A request carries an access token in \`authorization: Bearer …\`. The token belongs to a user and is valid until it expires or the user revokes it. \`GET /tenants\` lists the tenants of the token; every other request names one of them in \`x-tenant-id\` and sees no other tenant. Each operation lists the roles that may call it. No role includes another. A record that the role may not see returns 404.

## Values

Times are UTC, to the microsecond and without a zone, like \`2026-11-21T08:30:00.000000\`; sent times are ISO 8601, with any zone, and UTC without one. Responses contain all their fields, with null for no value, in alphabetical order. Later releases may add fields to responses, so clients must ignore unknown fields. Requests must not contain unlisted fields or parameters. Records are never deleted, only deactivated.

## Errors

An error has a \`code\`, a message in \`detail\`, and all violations in \`errors\`. Mention its \`request_id\` in support requests. A client that accepts \`application/problem+json\` gets RFC 9457 problem details. Releases add codes and never rename them. A request that fails stores nothing.

## Lists

\`page_index\` counts from 1, \`page_limit\` is 1 to 1000 (default 100). The header \`Link\` (RFC 8288) has the first, previous, next and last page; \`total_count\` is capped at 100,000 and \`total_pages\` at 1,000. Lists with \`page_after\` continue after a record, beyond these limits. A GET with \`fields=id,customer.name\` returns only these fields of each record, in place of all that its schema requires.

## Retries and concurrent changes

The service runs a write with an \`Idempotency-Key\` once in 24 hours and returns the first response to retries. A GET returns an \`ETag\`: \`If-None-Match\` avoids sending unchanged data again (304), \`If-Match\` makes a write fail after a concurrent change (412). \`x-dry-run: true\` validates a write and stores nothing.

## Events

\`GET /stream\` sends the tenant's events as server-sent events (\`text/event-stream\`). It takes the same headers as other requests: \`event\` is the kind, \`id\` the event's id, \`data\` the body of a webhook delivery, at the newest version unless \`x-api-version\` names another. A caller receives the events of records that it may read. \`Last-Event-ID\` resumes after an event; the stream starts with \`Missed\` if the service no longer has that event.

## Limits

A body has at most 1 MiB and 10,000 values, the headers at most 16 KiB, and a request must arrive within 30 seconds. A server may limit the requests of each token: \`RateLimit-Policy\` and \`RateLimit\` return the limit and the remaining requests. Above the limit it returns 429 with \`Retry-After\`.`;

const extensions = [
  "## Extensions",
  "",
  "Information that OpenAPI has no keyword for:",
  "",
  "- `x-roles`: the roles that may call the operation; empty if it needs no token.",
  "- `x-events`: the kinds of events that the operation may cause.",
  "- `x-extension`: the operation or field is an extension of this product.",
  "- `x-when`: the date must be in the past (not later than the request) or in the future.",
].join("\n");

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
  return [version === apiVersions[0] ? "The first version." : "No changes."];
}
