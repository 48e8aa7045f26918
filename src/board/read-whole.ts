import { type AnswerNamed, type Client, untyped } from "../client/client.ts";

interface Listed {
  "drivers.all": AnswerNamed<"drivers.all">["results"][number];
  "locations.list": AnswerNamed<"locations.list">["results"][number];
  "trucks.all": AnswerNamed<"trucks.all">["results"][number];
}

/** For a short list. */
export async function readWhole<Name extends keyof Listed>(
  client: Client,
  name: Name,
): Promise<Listed[Name][]> {
  const records: Listed[Name][] = [];
  // TypeScript does not follow the type of a list through the type parameter.
  for await (const record of untyped(client).pages(name, { query: { page_limit: 1000 } }))
    records.push(record as unknown as Listed[Name]);
  return records;
}
