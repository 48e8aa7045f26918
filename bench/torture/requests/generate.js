import fc from "fast-check";
import { toHostileBody, toNearBody } from "./hostile.js";
import { toId, toValue } from "./values.js";

/**
 * Generates requests of a client, a careless client, and an attacker from the documents. Each request has its
 * operation, its caller, and the sent form: method, target, headers, body. No caller sends another tenant's marker.
 */
export function toRequests(documents, tenants) {
  const kinds = new Map();
  const versions = [...documents.keys()];
  const pairs = versions.flatMap((version) =>
    [...documents.get(version).operations.keys()].map((name) => ({ version, name })),
  );
  const callers = tenants.flatMap((tenant) => tenant.callers.map((caller) => ({ tenant, caller })));
  return fc
    .tuple(fc.constantFrom(...pairs), fc.nat(), fc.nat(), fc.nat())
    .chain(([pair, chance, which, salt]) => {
      const operation = documents.get(pair.version).operations.get(pair.name);
      // Mostly choose a permitted caller, because few requests cover the errors by role.
      const allowed = callers.filter(({ caller }) =>
        caller.roles.some((role) => operation.roles.includes(role)),
      );
      const from = chance % 6 === 0 || allowed.length === 0 ? callers : allowed;
      const { tenant, caller } = from[which % from.length];
      const key = `${pair.version} ${pair.name} ${tenant.id}`;
      const arbitrary = kinds.get(key) ?? toRequest(documents, pair, tenant, tenants);
      kinds.set(key, arbitrary);
      return arbitrary.map((parts) => toRaw(operation, pair.version, { tenant, caller }, { ...parts, salt }));
    });
}

function toRequest(documents, { version, name }, tenant, tenants) {
  const { document, operations } = documents.get(version);
  const operation = operations.get(name);
  const foreign = tenants.find(({ id }) => id !== tenant.id) ?? tenant;
  const context = { document, ids: tenant.ids, foreignIds: foreign.ids, marker: tenant.marker };
  const ofKind = (kind) => operation.parameters.filter((parameter) => parameter.in === kind);
  const toRecord = (parameters, toOne) =>
    fc.record(Object.fromEntries(parameters.map((parameter) => [parameter.name, toOne(parameter)])));
  const valid = operation.body ? toValue(context, operation.body) : fc.constant(undefined);
  return fc.record({
    params: toRecord(ofKind("path"), (parameter) => toId(context, parameter.name)),
    query: toRecord(ofKind("query"), ({ name: text, required, schema }) =>
      required
        ? toValue(context, schema, text)
        : fc.option(toValue(context, schema, text), { freq: 1, nil: undefined }),
    ),
    body: operation.body
      ? fc.oneof(
          { weight: 10, arbitrary: valid.map((value) => JSON.stringify(value)) },
          { weight: 5, arbitrary: valid.chain(toNearBody) },
          { weight: 2, arbitrary: toHostileBody },
        )
      : fc.option(toHostileBody, { freq: 30, nil: undefined }),
    manner: fc.record({
      headers: fc.oneof({ weight: 8, arbitrary: fc.constant({}) }, { weight: 2, arbitrary: toOddHeaders }),
      target: fc.oneof({ weight: 12, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: toOddTarget }),
      method: fc.oneof({ weight: 20, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: toOddMethod }),
      keep: fc.nat(),
    }),
  });
}

const toOddMethod = fc.constantFrom("HEAD", "OPTIONS", "PUT", "POST", "DELETE", "PATCH", "TRACE");

const toOddHeaders = fc.constantFrom(
  { "accept-encoding": "gzip" },
  { "accept-encoding": "br;q=0.1, gzip, *;q=0" },
  { accept: "application/problem+json, application/json" },
  { accept: "text/html" },
  { accept: `${"a/b;q=0.1,".repeat(400)}*/*` },
  { accept: "application/json;q=0" },
  { authorization: "Bearer dispatch.1.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" },
  { authorization: "Basic b3duZXI6" },
  { authorization: "" },
  { "x-tenant-id": "1" },
  { "x-tenant-id": "0x2" },
  { "x-tenant-id": "99999999999999999999" },
  { "x-api-version": "2019/02/08" },
  { "x-api-version": "2099/01/01" },
  { "x-dry-run": "true" },
  { "x-dry-run": "perhaps" },
  { "content-type": "text/plain" },
  { "content-type": "application/json; charset=latin1" },
  { "content-type": "application/json; charset=utf-8" },
  { "content-encoding": "gzip" },
  { "if-none-match": "*" },
  { "if-none-match": '"x", W/"y"' },
  { "if-match": '"stale"' },
  { "if-match": "*" },
  { "idempotency-key": "the-same-for-all" },
  { "idempotency-key": "k".repeat(256) },
  { "x-request-id": "../../etc" },
  { range: "bytes=0-1" },
  { traceparent: "00-0-0-zz" },
  { "x-filler": "f".repeat(20_000) },
  { cookie: "a=b", origin: "https://elsewhere.example", "x-forwarded-for": "127.0.0.1" },
  { "x-http-method-override": "DELETE" },
);

const toOddTarget = fc.constantFrom(
  (target) => `${target}/`,
  (target) => `/${target}`,
  (target) => target.replace("/", "/%2e%2e/"),
  (target) => `${target.split("?")[0]}?page_limit=1&page_limit=2`,
  (target) => `${target.split("?")[0]}?nothing_such=1`,
  (target) => `${target.split("?")[0]}?page_limit=${"9".repeat(400)}`,
  (target) => `${target.split("?")[0]}?page_index=%00`,
  (target) => `${target.split("?")[0]}?%E0%A4%A=1`,
  (target) => `${target}#fragment`,
  (target) => target.replace(/\d+/, "%31"),
  (target) => target.replace(/\d+/, "1%2f2"),
  (target) => target.toUpperCase(),
  (target) => target.replace(/\d+/, "__proto__"),
  (target) => `${target.split("?")[0]}?__proto__=1&constructor=2`,
  () => "/",
  () => "*",
  () => `/${"a/".repeat(3000)}`,
  () => "/healthz?x=%",
);

/** Returns the sent form, and the facts for the judge. */
function toRaw(operation, version, { tenant, caller }, { params, query, body, manner, salt }) {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(params[name])));
  const given = Object.entries(query).filter(
    ([, value], index) => value !== undefined && value !== null && (salt >> (index % 24)) % 4 === 0,
  );
  const needed = operation.parameters.filter((parameter) => parameter.in === "query" && parameter.required);
  for (const { name } of needed) if (!given.some(([one]) => one === name)) given.push([name, query[name]]);
  const search = new URLSearchParams(
    given.map(([name, value]) => [name, toWellFormed(String(value))]),
  ).toString();
  const usual = search === "" ? path : `${path}?${search}`;
  const method = manner.method ?? operation.method;
  const sent = method === "HEAD" || method === "TRACE" ? undefined : body;
  const headers = {
    ...(operation.isPublic ? {} : caller.headers),
    "x-api-version": version,
    // Node.js omits this header for methods that usually have no body.
    ...(sent !== undefined && {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(sent),
    }),
    ...manner.headers,
  };
  return {
    operation: operation.name,
    isAsDeclared: !manner.target && !manner.method,
    roles: caller.roles,
    marker: tenant.marker,
    method,
    target: manner.target ? manner.target(usual) : usual,
    headers,
    body: sent,
  };
}

/** Replaces unpaired surrogates, which an address cannot contain. */
const toWellFormed = (text) => text.replaceAll(/[\ud800-\udfff]/g, "?");
