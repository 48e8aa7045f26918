/** The nouns of operations that are about no records but the server itself, as the help shows them. */
export const serviceNouns = [
  { noun: "retention", about: "how long a tenant keeps what", group: "Keep a store" },
  { noun: "erasures", about: "whose personal data was erased, by whom and when", group: "Keep a store" },
  { noun: "batch", about: "several operations in one transaction", group: "Develop" },
  { noun: "requests", about: "what a server was asked lately", group: "Develop" },
  { noun: "sandbox", about: "a server for tests: its clock, its requests, a new start", group: "Develop" },
] as const;
