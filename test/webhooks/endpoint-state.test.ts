import { describe, expect, it } from "vitest";
import {
  afterAttempt,
  afterChange,
  afterClaim,
  afterLateClaim,
  attemptsMaxOf,
  newEndpoint,
} from "../../src/webhooks/endpoint-queue.ts";

const taken = { succeeded: true, isSlow: false };
const failed = { succeeded: false, isSlow: false };

describe("the state of a webhook's deliveries", () => {
  it("probes with one attempt at a time until one succeeds, then makes four at once", () => {
    expect(attemptsMaxOf(newEndpoint)).toBe(1);
    expect(attemptsMaxOf(afterAttempt(newEndpoint, taken))).toBe(4);
  });

  it("probes again after a failure, and claims one delivery at a time", () => {
    const flowing = afterAttempt(newEndpoint, taken);
    expect(afterAttempt(flowing, failed)).toMatchObject({ pace: "probing", claimSize: 1 });
  });

  it("probes when a claim shows that the webhook fails, as another worker may have found out", () => {
    const flowing = afterAttempt(newEndpoint, taken);
    expect(attemptsMaxOf(afterClaim(flowing, { count: 2, isFailing: true }))).toBe(1);
  });

  it("goes on with four at once to a slow receiver, and claims one delivery at a time", () => {
    const slow = afterAttempt(newEndpoint, { succeeded: true, isSlow: true });
    expect(slow).toMatchObject({ pace: "flowing", isSlow: true, claimSize: 1 });
    expect(afterAttempt(slow, taken).isSlow).toBe(false);
  });

  it("doubles the next claim while claims are full, up to 64", () => {
    const sizes = [newEndpoint.claimSize];
    let state = newEndpoint;
    for (let claims = 0; claims < 6; claims += 1) {
      state = afterClaim(state, { count: state.claimSize, isFailing: false });
      sizes.push(state.claimSize);
    }
    expect(sizes).toEqual([4, 8, 16, 32, 64, 64, 64]);
  });

  it("keeps the size of a claim that was not full, and takes a quarter after one that was begun too late", () => {
    const large = { ...newEndpoint, claimSize: 64 };
    expect(afterClaim(large, { count: 63, isFailing: false }).claimSize).toBe(64);
    expect(afterLateClaim(large).claimSize).toBe(16);
    expect(afterLateClaim({ ...newEndpoint, claimSize: 1 }).claimSize).toBe(1);
  });

  it("takes the outbox for empty after a claim that found nothing, until something changes", () => {
    const empty = afterClaim(newEndpoint, { count: 0, isFailing: false });
    expect(empty.outbox).toBe("empty");
    expect(afterAttempt(empty, taken).outbox).toBe("empty");
    expect(afterChange(empty).outbox).toBe("unknown");
  });
});
