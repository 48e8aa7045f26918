import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { changesShared, SharedRevision } from "../../src/store/postgres/pooled-connection.ts";

describe("the revision of what tenants share, on PostgreSQL (OP-167)", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
  afterEach(() => void vi.useRealTimers());

  it("stays the same for less than a second, and is another one after it: others may have changed something", () => {
    const shared = new SharedRevision();
    const first = shared.current();
    vi.advanceTimersByTime(999);
    expect(shared.current()).toBe(first);
    vi.advanceTimersByTime(1);
    expect(shared.current()).not.toBe(first);
  });

  it("is another one at once when this process has written", () => {
    const shared = new SharedRevision();
    const first = shared.current();
    shared.raise();
    expect(shared.current()).not.toBe(first);
  });

  it("is raised by statements on the tables that tenants share or that tell who calls, and by no others", () => {
    const shared = [
      'insert into "tokens" ("id")',
      'update "users" set',
      'update "tenants" set',
      'insert into "meta"',
      'insert into "haulers"',
    ];
    expect(shared.filter(changesShared)).toEqual(shared);
    const others = [
      'insert into "jobs" ("tenant_id", "token_id") values ($1, $2)',
      'update "user_notes" set',
    ];
    expect(others.filter(changesShared)).toEqual([]);
  });
});
