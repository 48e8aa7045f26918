import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LocalHints } from "../../src/store/api.ts";
import { Rest } from "../../src/webhooks/poller.ts";

describe("a rest between two looks (OP-373)", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
  afterEach(() => void vi.useRealTimers());

  class HeardHints extends LocalHints {
    isHeard = true;
    override isListening = () => this.isHeard;
  }

  it("lasts as long as nothing is due, and ten seconds at most", () => {
    const rest = new Rest(new HeardHints());
    expect(rest.isOver).toBe(true);
    rest.begin(4000);
    vi.advanceTimersByTime(3999);
    expect(rest.isOver).toBe(false);
    vi.advanceTimersByTime(1);
    expect(rest.isOver).toBe(true);
    rest.begin();
    vi.advanceTimersByTime(10_000);
    expect(rest.isOver).toBe(true);
  });

  it("is over with each hint, and while hints of other processes do not come in", () => {
    const hints = new HeardHints();
    const rest = new Rest(hints);
    rest.begin();
    hints.give("deliveries");
    expect(rest.isOver).toBe(true);
    rest.begin();
    expect(rest.isOver).toBe(false);
    hints.isHeard = false;
    expect(rest.isOver).toBe(true);
  });
});
