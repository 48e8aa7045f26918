import type { CommandResult } from "./command-line.ts";

type Run = (words: string[], input?: string) => Promise<CommandResult>;

/**
 * Makes a store with one record of each kind, texts of many alphabets and of several lines among them, by commands
 * that `run` runs on it. Gives a token of the owner.
 */
export async function seedStore(run: Run): Promise<string> {
  await run(["init", "--tenant", "Acme"]);
  const address = { country: "US", is_billing: true, is_shipping: true, latitude: 1.5, line_1: "1 Main St" };
  const addresses = [{ ...address, locality: "Łódź", longitude: -2, postcode: "1", region: "DC" }];
  const customer = JSON.stringify({ name: "Łukasz Bączek 株式会社", addresses, contacts: [] });
  await run(["customers", "create", "--location", "1", "--body", "-"], customer);
  await run(["trucks", "create", "--location", "1", "--name", "Truck 7"]);
  const job = [
    "jobs",
    "create",
    "--location",
    "1",
    "--type",
    "D",
    "--requested-by",
    "1",
    "--address-id",
    "1",
  ];
  await run([...job, "--truck-id", "1", "--schedule-date", "2026-12-01"]);
  await run([...job, "--dispatcher-notes", 'Say "hello", then\nwait']);
  await run(["hooks", "create", "--events", "Job", "--callback-url", "http://127.0.0.1:9/"]);
  const made = await run(["tokens", "create", "--username", "owner", "-o", "json"]);
  return (JSON.parse(made.stdout) as { token: string }).token;
}
