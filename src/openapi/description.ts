import type { Operation } from "../core/operation.ts";
import { type ApiVersion, apiVersions } from "../models/api-versions.ts";
import { changes } from "../versions/index.ts";

/** The introduction of the document (Markdown): what it holds for, and what changed at which version. */
export function toDescription(operations: readonly Operation[], version: ApiVersion): string {
  const history = apiVersions.map((each) => `- **${each}**: ${historyOf(each, operations).join(" ")}`);
  return [
    `Customers, jobs, trucks and webhooks of a multi-tenant dispatch service, as callers at version ${version} see them: send \`x-api-version: ${version}\`.`,
    `What changed when:\n\n${history.join("\n")}`,
    extensions,
  ].join("\n\n");
}

const extensions = [
  "What OpenAPI has no word for:",
  "",
  "- `x-roles`: the roles that may call the operation, to the letter; none where anybody may, without a token.",
  "- `x-events`: the kinds of events that it may send to webhooks.",
  "- `x-extension`: the operation or field is an addition of this product.",
  "- `x-when`: the date must lie in the past (not later than the request) or in the future.",
].join("\n");

/** What a version changed, in sentences. */
export function historyOf(version: ApiVersion, operations: readonly Operation[]): string[] {
  const texts = [
    ...changes.filter(({ introduced }) => introduced === version).map(({ text }) => text),
    ...operations
      .filter(({ lifetime }) => lifetime?.until === version)
      .map(({ method, path }) => `The last version that has ${method} ${path}.`),
  ];
  if (texts.length > 0) return texts;
  return [version === apiVersions[0] ? "The first version." : "Nothing is known to have changed."];
}
