import type { Client } from "../client/client.ts";

export interface FoundDriver {
  id: number;
  locationId: number;
}

/** The username of an active user who is the driver; null without one. */
export async function findDriverUser(
  client: Client,
  { id, locationId }: FoundDriver,
): Promise<string | null> {
  const params = { location_id: locationId };
  for await (const user of client.pages("users.list", { params, query: { active: true, page_limit: 1000 } }))
    if (user.driver_id === id) return user.username;
  return null;
}
