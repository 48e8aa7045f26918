import type { Operation } from "../core/operation.ts";
import type { ApiVersion } from "../models/api-versions.ts";
import { requestChangeSince } from "../models/versions/index.ts";

/** The operations as callers at a version know them: without those that ended before, with the input of that time. */
export function operationsAt(operations: readonly Operation[], version: ApiVersion): Operation[] {
  return operations
    .filter(({ lifetime }) => !lifetime || version <= lifetime.until)
    .map((operation) => ({ ...operation, ...requestChangeSince(version, operation.name)?.before }));
}
