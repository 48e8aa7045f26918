import type { TestServer } from "../../src/library/index.ts";

export interface SandboxAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields that they know to exist
  body: any;
}

type Server = Pick<TestServer, "tenantId" | "token" | "url">;

/** Returns a function that sends requests to a test server as its owner, or with other headers. */
export function toSender({ tenantId, token, url }: Server) {
  return async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
    signal?: AbortSignal,
  ): Promise<SandboxAnswer> => {
    const answer = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "x-api-version": "2023/04/19",
        "x-tenant-id": String(tenantId),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: text === "" ? null : JSON.parse(text) };
  };
}

/** The environment with which the command line uses a test server. */
export const toEnv = ({ tenantId, token, url }: Server) => ({
  DISPATCH_TENANT: String(tenantId),
  DISPATCH_TOKEN: token,
  DISPATCH_URL: url,
});
