/** How a server is tried from another terminal. */
export const toTryHints = (url: string, tenantId: number, token: string) => [
  `In a browser: ${url}/board and ${url}/inspect, with this token:`,
  "",
  `  ${token}`,
  "",
  "In another terminal, try:",
  "",
  `  export DISPATCH_URL=${url} DISPATCH_TENANT=${tenantId} DISPATCH_TOKEN=${token}`,
  "  npx dispatch-cli jobs list --is-dispatched true --page-limit 5",
  "",
  "or, with any HTTP client:",
  "",
  `  curl "${url}/jobs?page_limit=1" -H "authorization: Bearer ${token}" -H "x-tenant-id: ${tenantId}"`,
];
