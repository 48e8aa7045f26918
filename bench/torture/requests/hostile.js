import fc from "fast-check";

/** A valid body with one mistake. */
export function toNearBody(valid) {
  return fc.tuple(fc.constantFrom(...changes), fc.nat()).map(([change, which]) => {
    if (valid === null || typeof valid !== "object") return JSON.stringify([valid]);
    const names = Object.keys(valid);
    const name = names[which % Math.max(1, names.length)] ?? "name";
    return JSON.stringify(change(structuredClone(valid), name));
  });
}

const set = (value) => (body, name) => ({ ...body, [name]: value });

const changes = [
  (body, name) => {
    delete body[name];
    return body;
  },
  (body) => ({ ...body, nothing_such: 1 }),
  (body) => ({ ...body, id: 1, tenant_id: 1, created_on: "2020-01-01" }),
  (body, name) => ({ ...body, [name]: [body[name]] }),
  (body, name) => ({ ...body, [name]: { [name]: body[name] } }),
  (body) => [body],
  (body) => JSON.stringify(body),
  ...[null, "", 0, -1, 2 ** 53, 1e308, 0.1, true, [], {}, " ", "x".repeat(2049), "\u0000", "\ud800", "0"].map(
    set,
  ),
  ...["‮", "'; drop table jobs; --", "=1+1", "../../x", "\u001b]0;x\u0007", "9999-12-31", "0000-00-00"].map(
    set,
  ),
  ...["2026-11-21T25:00:00Z", "10000-01-01", "http://127.0.0.1:9/", "javascript:alert(1)"].map(set),
  set(Array.from({ length: 1001 }, (_, index) => index + 1)),
  set([1, 1]),
  set(Array(300).fill({})),
];

/** Invalid JSON, or JSON that makes no sense as a body. */
export const toHostileBody = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom(
    "",
    " ",
    "null",
    "{",
    '{"a":1,"a":2}',
    '{"__proto__":{"is_admin":true}}',
    '{"constructor":{"prototype":{}}}',
    "\ufeff{}",
    "NaN",
    "1e999",
    '{"name":"\\ud800"}',
    '{"name":"a\\u0000b"}',
    Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    "[".repeat(40) + "]".repeat(40),
    '{"a":'.repeat(10_000),
    "[".repeat(200_000),
  ),
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      `{"roles":[${"0,".repeat(200_000)}0]}`,
      `{"name":"${"n".repeat(900_000)}"}`,
      `{"name":"${"\\u0041".repeat(170_000)}"}`,
      `{${Array.from({ length: 50_000 }, (_, index) => `"f${index}":1`).join(",")}}`,
      "x".repeat(1_100_000),
    ),
  },
);
