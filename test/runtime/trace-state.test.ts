import { expect, it } from "vitest";
import { toTrace } from "../../src/runtime/trace.ts";

const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

const passed = (tracestate: string, beside = traceparent) =>
  toTrace({ traceparent: beside, tracestate }, "ce5a0f5e-3f04-4b41-9f4a-0c9d5a2b7f11").state;

const members = (count: number) => Array.from({ length: count }, (_, at) => `k${at}=v`).join(",");

it("forwards the members of a tracestate in order, without surrounding blanks", () => {
  expect(passed("vendor=opaque")).toBe("vendor=opaque");

  expect(passed(" a=1 ,\tb@c=2,, 9t/x@sys= in ner!~")).toBe("a=1,b@c=2,9t/x@sys= in ner!~");
  expect(passed(members(32))).toBe(members(32));
});

it.each([
  ["no member", " , "],
  ["more than 32 members", members(33)],
  ["a key twice", "a=1,a=2"],
  ["a member without a value", "a"],
  ["an empty value", "a="],
  ["a key in capitals", "A=1"],
  ["a key of more than 256 characters", `${"k".repeat(257)}=1`],
  ["a system of more than 14 characters", `t@${"s".repeat(15)}=1`],
  ["an equals sign in a value", "a=b=c"],
  ["non-printable ASCII", "a=é"],
  ["a value of more than 256 characters", `a=${"v".repeat(257)}`],
])("ignores a tracestate with %s", (_, tracestate) => {
  expect(passed(tracestate)).toBeNull();
});

it("forwards at most 512 characters: it drops long members first, then the last ones", () => {
  const short = (key: string) => `${key}=${"v".repeat(98)}`;
  const long = `long=${"v".repeat(200)}`;
  const kept = ["a", "b", "c", "d", "e"].map(short);
  expect(passed([long, ...kept, short("f")].join(","))).toBe(kept.join(","));
  expect(passed([long, ...kept.slice(0, 3)].join(","))).toBe([long, ...kept.slice(0, 3)].join(","));
});

it("forwards a tracestate only with a valid traceparent", () => {
  expect(passed("vendor=opaque", "00-nothing")).toBeNull();
});
