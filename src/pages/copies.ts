import { newestVersion } from "../models/api-versions.ts";
import { toShellWord } from "../runtime/shell-word.ts";

/** Omits the token. */
export interface Call {
  operation: string;
  method: string;
  path: string;
  /** Without the question mark. */
  query: string;
  body: string | null;
  version: string;
  tenantId: number;
  isDryRun: boolean;
  ifMatch: string | null;
}

export function toCurl(serviceUrl: string, call: Call): string {
  return curl(call.method, `${serviceUrl}${toTarget(call)}`, [
    '-H "Authorization: Bearer $DISPATCH_TOKEN"',
    ...toHeaders({
      "x-tenant-id": String(call.tenantId),
      "x-api-version": call.version,
      ...(call.isDryRun && { "x-dry-run": "true" }),
      ...(call.ifMatch !== null && { "if-match": call.ifMatch }),
      ...(call.body !== null && { "content-type": "application/json" }),
    }),
    ...toData(call.body),
  ]);
}

export function toDeliveryCurl({
  body,
  headers,
  url,
}: {
  body: string | null;
  headers: Readonly<Record<string, string>>;
  url: string;
}): string {
  const own = Object.entries(headers).filter(([name]) => !/^(?:host|content-length|connection)$/i.test(name));
  return curl("POST", url, [...toHeaders(Object.fromEntries(own)), ...toData(body)]);
}

function curl(method: string, url: string, options: readonly string[]): string {
  // Keeps curl from interpreting brackets and dots in the URL.
  const words = [
    "curl -sS --globoff --path-as-is",
    method === "HEAD" ? "--head" : `-X ${method}`,
    toShellWord(url),
  ];
  return [words.join(" "), ...options].join(" \\\n  ");
}

const toHeaders = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(
    ([name, value]) => `-H ${toShellWord(value === "" ? `${name};` : `${name}: ${value}`)}`,
  );

const toData = (body: string | null) => (body === null ? [] : [`--data-raw ${toShellWord(body)}`]);

export function toCommand(serviceUrl: string, call: Call): string {
  const words = [
    "dispatch-cli api",
    call.method,
    toShellWord(toTarget(call)),
    `--url ${toShellWord(serviceUrl)}`,
    `--tenant ${call.tenantId}`,
    `--api-version ${call.version}`,
    ...(call.isDryRun ? ["--dry-run"] : []),
  ].join(" ");
  return call.body === null ? words : `printf %s ${toShellWord(call.body)} |\n  ${words} --body -`;
}

const toTarget = ({ path, query }: Call) => (query === "" ? path : `${path}?${query}`);

/** `template` is the path of the operation, with its parameters in braces. `query` has the types of the fields. */
export function toClientCode(
  serviceUrl: string,
  call: Call,
  template: string,
  query: Record<string, unknown> = readQuery(call.query),
): string {
  const params = readParams(template, call.path);
  const input = {
    ...(Object.keys(params).length > 0 && { params }),
    ...(call.query !== "" && { query }),
    ...(call.body !== null && { body: parse(call.body) }),
    ...(call.isDryRun && { dryRun: true }),
    ...(call.ifMatch !== null && { ifMatch: call.ifMatch }),
  };
  const argument = Object.keys(input).length === 0 ? "" : `, ${JSON.stringify(input, null, 2)}`;
  const version = call.version === newestVersion ? "" : `\n  version: ${JSON.stringify(call.version)},`;
  return `import { createClient } from "dispatch-cli";

const client = createClient({
  url: ${JSON.stringify(serviceUrl)},
  token: process.env.DISPATCH_TOKEN ?? null,
  tenant: ${call.tenantId},${version}
});
console.log(await client.call(${JSON.stringify(call.operation)}${argument}));
`;
}

function readParams(template: string, path: string): Record<string, string | number> {
  const parts = path.split("/");
  const named = template.split("/").flatMap((part, at): [string, string | number][] => {
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
    return name === undefined ? [] : [[name, toValue(decode(parts[at] ?? ""))]];
  });
  return Object.fromEntries(named);
}

const readQuery = (query: string) =>
  Object.fromEntries(
    Array.from(new URLSearchParams(query), ([name, text]) => [
      name,
      text === "true" || text === "false" ? text === "true" : toValue(text),
    ]),
  );

/** A number only if it prints as the same text. */
const toValue = (text: string) => (/^(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text);

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
