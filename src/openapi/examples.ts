import type { Operation } from "../core/operation.ts";
import type { ApiVersion } from "../models/api-versions.ts";
import { toRequestInput } from "../models/versions/index.ts";
import recorded from "./examples.json" with { type: "json" };

/** What the example of an operation's command asks of a store of `demo`, in the newest form, and what it is answered. */
export interface RecordedExample {
  request: {
    params: Readonly<Record<string, string>>;
    query: Readonly<Record<string, string>>;
    body?: unknown;
  };
  /** By the version from which back it is the answer, down to the next; none where that is a file. */
  answers: Partial<Record<ApiVersion, unknown>>;
}

/** A request to an operation at a version, and its answer. */
export interface Example {
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  body: unknown;
  answer: unknown;
}

/** The example of an operation at a version; null for one that none was recorded for (`npm run record`). */
export function findExample({ name }: Pick<Operation, "name">, version: ApiVersion): Example | null {
  const example = examples[name];
  if (!example) return null;
  const { body, params, query } = example.request;
  const sent = toRequestInput(name, version, { body, query });
  const [since] = Object.keys(example.answers)
    .filter((known) => known >= version)
    .sort();
  const answer = since === undefined ? undefined : example.answers[since as ApiVersion];
  return { answer, body: sent.body, params, query: sent.query };
}

// The recording writes what these say; the type that is read out of the file names every field of every record.
const examples = recorded as unknown as Readonly<Record<string, RecordedExample>>;
