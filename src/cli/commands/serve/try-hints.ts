export const toTryHints = (url: string, tenantId: number, token: string) => [
  `Board:     ${url}/board`,
  `Inspector: ${url}/inspect`,
  `Token:     ${token}`,
  "",
  "From another terminal:",
  `  export DISPATCH_URL=${url} DISPATCH_TENANT=${tenantId} DISPATCH_TOKEN=${token}`,
  "  dispatch-cli jobs list --is-dispatched true --page-limit 5",
  `  curl "${url}/jobs?page_limit=1" -H "authorization: Bearer ${token}" -H "x-tenant-id: ${tenantId}"`,
  "",
];
