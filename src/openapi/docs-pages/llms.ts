import type { Operation } from "../../core/operation.ts";
import { apiVersions, newestVersion } from "../../models/api-versions.ts";
import { hookEvents } from "../../models/event-kinds.ts";
import { guideTexts } from "./guide-texts.ts";

/** The addresses of the documents, on a server or in the package. */
type LlmsLinks = readonly {
  heading: string;
  links: readonly { name: string; href: string; about: string }[];
}[];

/** The text that language models read first (https://llmstxt.org). */
export function toLlms(operations: readonly Operation[], sections: LlmsLinks): string {
  const nouns = [...new Set(operations.map(({ name }) => name.split(".", 1)[0]))];
  const lines = [
    "# dispatch-cli",
    "",
    "> A multi-tenant dispatch service and its command line: customers with addresses and contacts, jobs done by trucks and drivers, webhooks that call back. The same operations work on a local store (SQLite or PostgreSQL) and over HTTP.",
    "",
    "How requests are made:",
    "",
    "- Every request but `POST /haulers` needs `authorization: Bearer <token>`; `dispatch-cli tokens create --username <name>` makes a token, which has the roles of its user or fewer.",
    "- `x-tenant-id` names the tenant by its id; `GET /tenants` lists the tenants of the token and needs no tenant itself.",
    `- \`x-api-version: ${newestVersion}\` chooses the shape of requests and answers; the default is ${apiVersions[0]}. Versions: ${apiVersions.join(", ")}.`,
    "- `x-dry-run: true` runs all checks of a write and stores nothing. `Idempotency-Key` makes a write safe to repeat. `If-Match` with the `ETag` of a record refuses a lost update.",
    "- Bodies are JSON. Unknown fields and parameters are refused. Times are UTC.",
    "- Lists take `page_index` and `page_limit`; the `Link` header leads to the next page. `fields=id,name` of a read returns only these fields.",
    "- An error has a stable code, every violation, and often the request that helps.",
    `- Webhooks send ${hookEvents.filter((kind) => kind !== "Ping").join(", ")} events, signed by Standard Webhooks and by HMAC-SHA1.`,
    "- `GET /stream` sends the same events as they happen, as server-sent events (`text/event-stream`), to callers who may get the record; `Last-Event-ID` continues after an event.",
    "",
    `Operations are named \`<noun>.<verb>\`, and each has a command of the same two words: \`dispatch-cli jobs list -o json\`. Nouns: ${nouns.join(", ")}.`,
    "",
    "- `dispatch-cli commands -o json` prints every command with its options, types, examples and exit codes; `dispatch-cli explain -o json` every error; `dispatch-cli openapi` the OpenAPI 3.1 document.",
    '- In TypeScript and JavaScript, the packages `dispatch-cli` and `dispatch-cli-client` (without the service) have every operation, typed: `import { createClient, verifyWebhook } from "dispatch-cli-client"`.',
    "- `dispatch-cli mcp` serves the operations of a store or server as tools of the Model Context Protocol over stdio: reads, and with `--allow-writes` writes too. A server has the same tools at `POST /mcp` (streamable HTTP, bearer token).",
    "",
    "Without a service: `dispatch-cli demo --serve` creates a store of sample records, serves it, and prints an address and a token.",
    ...sections.flatMap(({ heading, links }) => [
      "",
      `## ${heading}`,
      "",
      ...links.map(({ about, href, name }) => `- [${name}](${href}): ${about}`),
    ]),
  ];
  return `${lines.join("\n")}\n`;
}

export const servedLinks = (base: string): LlmsLinks => [
  {
    heading: "Interface",
    links: [
      {
        name: "OpenAPI document",
        href: `${base}/openapi.json`,
        about: "every operation, model, error and webhook; `?version=2021/04/07` for another version",
      },
      { name: "Reference", href: `${base}/docs`, about: "the same for people, a page for each operation" },
      { name: "Errors", href: `${base}/docs/errors`, about: "what each code means and what to do about it" },
      {
        name: "Webhooks",
        href: `${base}/docs/webhooks`,
        about: "what deliveries contain, and how they are signed",
      },
      { name: "Changes", href: `${base}/docs/changes`, about: "what each version changed, with examples" },
      ...Object.entries(guideTexts).map(([name, { about, title }]) => ({
        name: title,
        href: `${base}/docs/guides/${name}`,
        about,
      })),
    ],
  },
  {
    heading: "Optional",
    links: [
      {
        name: "Models",
        href: `${base}/docs/models`,
        about: "the fields of everything that is sent and answered",
      },
    ],
  },
];

export const packageLinks: LlmsLinks = [
  {
    heading: "Documentation",
    links: [
      { name: "README", href: "README.md", about: "the first minute, and where a command works" },
      {
        name: "Interface",
        href: "docs/interface.md",
        about: "operations, models, roles, errors, and limits over HTTP",
      },
      { name: "Command line", href: "docs/command-line.md", about: "what scripts can rely on" },
      { name: "Webhooks", href: "docs/webhooks.md", about: "build a receiver" },
      {
        name: "Library",
        href: "docs/library.md",
        about: "the TypeScript client, and a server for tests",
      },
      { name: "Agents", href: "docs/mcp.md", about: "the Model Context Protocol" },
    ],
  },
  {
    heading: "Optional",
    links: [
      { name: "Operating", href: "docs/operations/README.md", about: "serving, backups, upgrades" },
      { name: "Security", href: "docs/security.md", about: "which attacks are stopped, and how" },
    ],
  },
];
