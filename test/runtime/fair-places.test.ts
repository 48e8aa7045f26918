import { describe, expect, it } from "vitest";
import { FairPlaces, type Leave } from "../../src/runtime/fair-places.ts";

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Asks for places by name, and gives them back. */
function makeAskers(places: FairPlaces) {
  const begun: string[] = [];
  const leaves = new Map<string, Leave>();
  return {
    begun,
    ask: async (tenantId: number, name: string, signal?: AbortSignal) => {
      leaves.set(name, await places.take(tenantId, signal));
      begun.push(name);
    },
    end: async (name: string) => {
      leaves.get(name)?.();
      await settle();
    },
  };
}

describe("places shared by tenants", () => {
  it("are never all one tenant's, so that another begins at once", async () => {
    const { ask, begun } = makeAskers(new FairPlaces({ places: 3, reserved: 1 }));
    for (const name of ["a1", "a2", "a3"]) void ask(1, name);
    await settle();
    expect(begun).toEqual(["a1", "a2"]);
    void ask(2, "b1");
    await settle();
    expect(begun).toEqual(["a1", "a2", "b1"]);
  });

  it("go to the waiting tenant with the fewest, and then to tenants in turn, first come first", async () => {
    const { ask, begun, end } = makeAskers(new FairPlaces({ places: 1 }));
    void ask(1, "a1");
    for (const name of ["a2", "a3"]) void ask(1, name);
    for (const name of ["b1", "b2"]) void ask(2, name);
    void ask(3, "c1");
    await settle();
    for (const name of ["a1", "b1", "c1", "a2", "b2", "a3"]) await end(name);
    expect(begun).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
  });

  it("are taken at once only where nobody would have to wait", async () => {
    const places = new FairPlaces({ places: 2, reserved: 1 });
    const leave = places.takeAtOnce(1);
    expect(leave).toBeDefined();
    expect(places.takeAtOnce(1)).toBeUndefined();
    const { ask, begun } = makeAskers(places);
    void ask(1, "a2");
    const other = places.takeAtOnce(2);
    expect(other).toBeDefined();
    leave?.();
    expect(places.takeAtOnce(1)).toBeUndefined();
    await settle();
    expect(begun).toEqual(["a2"]);
  });

  it("tell who waits for them, and go to others when somebody waits no longer", async () => {
    const places = new FairPlaces({ places: 1 });
    const { ask, begun, end } = makeAskers(places);
    void ask(1, "a1");
    const patience = new AbortController();
    const given = ask(2, "b1", patience.signal);
    void ask(3, "c1");
    expect(places.countWaiting(2)).toEqual({ own: 1, all: 2 });
    patience.abort(new Error("no more"));
    await expect(given).rejects.toThrow("no more");
    expect(places.countWaiting(2)).toEqual({ own: 0, all: 1 });
    await settle();
    await end("a1");
    expect(begun).toEqual(["a1", "c1"]);
  });
});
