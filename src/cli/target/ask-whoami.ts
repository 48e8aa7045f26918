/** Whom a server takes a token for. */
export interface Whoami {
  roles: string[];
  token_expires_on: string | null;
  token_id: string | null;
  user: string;
}

/** Asks a server whose the token is. Throws target_unreachable. */
export async function askWhoami({
  headers,
  url,
}: {
  headers: Record<string, string>;
  url: string;
}): Promise<Whoami> {
  const { sendRaw } = await import("../../remote/exchange.ts");
  const answer = await sendRaw(url, { method: "GET", path: "/whoami", headers, body: undefined });
  return JSON.parse(answer.body.toString("utf8")) as Whoami;
}
