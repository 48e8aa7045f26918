import type { CommandResult } from "./command-line.ts";

type Run = (words: string[], input?: string) => Promise<CommandResult>;

/**
 * Creates a store with one record per kind, with multi-line texts in many alphabets, through commands that `run` runs
 * on it. Returns a token of the owner.
 */
export async function seedStore(run: Run): Promise<string> {
  await run(["init", "--allow-private-hooks", "--tenant", "Acme"]);
  await run(
    ["customers", "create", "--location", "1", "--body", "-"],
    customerBody("Łukasz Bączek 株式会社"),
  );
  await run(["trucks", "create", "--location", "1", "--name", "Truck 7"]);
  await run([...createJobWords, "--truck-id", "1", "--schedule-date", "2026-12-01"]);
  await run([...createJobWords, "--dispatcher-notes", 'Say "hello", then\nwait']);
  await run(["hooks", "create", "--events", "Job", "--callback-url", "http://127.0.0.1:9/"]);
  const made = await run(["tokens", "create", "--username", "owner", "-o", "json"]);
  return (JSON.parse(made.stdout) as { token: string }).token;
}

/** The body of a customer with one address. */
export function customerBody(name: string): string {
  const address = { country: "US", is_billing: true, is_shipping: true, latitude: 1.5, line_1: "1 Main St" };
  const addresses = [{ ...address, locality: "Łódź", longitude: -2, postcode: "1", region: "DC" }];
  return JSON.stringify({ name, addresses, contacts: [] });
}

/** The command that creates a job for the first customer at its first address. */
export const createJobWords: readonly string[] =
  "jobs create --location 1 --type D --requested-by 1 --address-id 1".split(" ");
