import type { Connection } from "./connect.ts";

export interface Whoami {
  /** Why the tenant refuses changes; null unless it is frozen. */
  frozen_reason: string | null;
  roles: string[];
  token_expires_on: string | null;
  token_id: string | null;
  user: string;
}

/** Throws target_unreachable. */
export async function askWhoami({ send }: Pick<Connection, "send">): Promise<Whoami> {
  const { bytes } = await send("/whoami", { headers: {}, method: "GET" });
  return JSON.parse(new TextDecoder().decode(bytes)) as Whoami;
}
