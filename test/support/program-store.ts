import { runCommand } from "./command-line.ts";

/** The headers that identify a caller. */
export type CallerHeaders = Record<"authorization" | "x-tenant-id", string>;

/** A store in a file, with a token of its owner. */
export interface ProgramStore {
  data: string;
  headers: CallerHeaders;
  token: string;
}

/** Creates a store with one tenant and a token for its owner. */
export async function initStore(data: string, options: readonly string[] = []): Promise<ProgramStore> {
  await runCommand(["init", "--data", data, "--tenant", "Acme", ...options]);
  return { data, ...(await createOwnerToken(data)) };
}

/** Creates a token of a store's owner with the program. */
export async function createOwnerToken(data: string): Promise<Omit<ProgramStore, "data">> {
  const made = await runCommand(["tokens", "create", "--username", "owner", "--data", data, "-o", "json"]);
  const { token } = JSON.parse(made.stdout) as { token: string };
  return { headers: { authorization: `Bearer ${token}`, "x-tenant-id": "1" }, token };
}

/** Creates a webhook for trucks with the program. */
export async function createTruckHook(data: string, url: string): Promise<void> {
  await runCommand(["hooks", "create", "--events", "Truck", "--callback-url", url, "--data", data]);
}

/** Creates a truck over HTTP. */
export function postTruck(url: string, headers: CallerHeaders, name = "T"): Promise<Response> {
  return fetch(`${url}/locations/1/trucks`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ name }),
  });
}
