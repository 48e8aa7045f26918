import type { Operation } from "../core/operation.ts";
import { kindOfNoun } from "../records/find-kind.ts";

/** A group of operations in the document. */
export interface Tag {
  name: string;
  description: string;
}

/** Operations are grouped by the noun of their name. */
export function tagOf({ name }: Operation): string {
  return name.split(".", 1)[0] ?? name;
}

/** The groups of the operations, in their order. */
export function toTags(operations: readonly Operation[]): Tag[] {
  return [...new Set(operations.map(tagOf))].map((name) => ({ name, description: aboutTag(name) }));
}

function aboutTag(name: string): string {
  const about = kindOfNoun(name)?.about ?? otherTags[name] ?? name;
  return `${about.charAt(0).toUpperCase()}${about.slice(1)}.`;
}

/** The nouns that are no kind of record. */
const otherTags: Readonly<Record<string, string>> = {
  batch: "several operations in one transaction",
  requests: "what a server was asked, and what it answered",
  sandbox: "the clock, the records and the requests of a store to try on",
  erasures: "whose personal data was erased, and when",
  retention: "how long what is kept, by tenant",
  search: "records by what people call them",
};
