import { expect, it } from "vitest";
import { failure } from "../../src/errors/errors.ts";
import { CallerKeys } from "../../src/http/caller-keys.ts";

const requestOf = (tenant: string) => ({
  client: { address: "10.0.0.1", isKnown: false },
  headers: { authorization: "Bearer dispatch.1.secret", "x-tenant-id": tenant },
});

it("a caller waits in its tenant's queue once it was found to be good, and while it is not refused", () => {
  const keys = new CallerKeys();
  expect(keys.keyOf(requestOf("7"))).toBe("address 10.0.0.1");
  keys.learn(requestOf("7"), 7);
  expect(keys.keyOf(requestOf("7"))).toBe("tenant 7");
  keys.noteRefusal(requestOf("7"), failure("tenant_not_accessible", "No access."));
  expect(keys.keyOf(requestOf("7"))).toBe("address 10.0.0.1");
});

it("headers that are longer than any that a client needs are not kept", () => {
  const keys = new CallerKeys();
  const padded = requestOf(`${"0".repeat(10_000)}7`);
  keys.learn(padded, 7);
  expect(keys.keyOf(padded)).toBe("address 10.0.0.1");
});
