import { describe, expect, it } from "vitest";
import { TenantPlaces } from "../../src/threads/tenant-places.ts";

const limits = { places: 3, placesPerTenant: 2, waitingMax: 4, waitingPerTenantMax: 3 };
const forEver = new AbortController().signal;

/** Work that ends when it is told to, and the order in which it began. */
function makeWork(places: TenantPlaces) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (tenantId: number, name: string, signal = forEver) =>
    places.run(tenantId, signal, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      return name;
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { begun, end, run, settle };
}

describe("places shared by tenants", () => {
  it("are never all one tenant's, so that another's work begins at once", async () => {
    const { begun, run, settle } = makeWork(new TenantPlaces(limits));
    for (const name of ["a1", "a2", "a3"]) void run(1, name);
    await settle();
    expect(begun).toEqual(["a1", "a2"]);
    void run(2, "b1");
    await settle();
    expect(begun).toEqual(["a1", "a2", "b1"]);
  });

  it("go to the waiting tenant with the fewest, and then to tenants in turn, first come first", async () => {
    const { begun, end, run, settle } = makeWork(
      new TenantPlaces({ places: 1, placesPerTenant: 1, waitingMax: 9, waitingPerTenantMax: 9 }),
    );
    void run(1, "a1");
    for (const name of ["a2", "a3"]) void run(1, name);
    for (const name of ["b1", "b2"]) void run(2, name);
    void run(3, "c1");
    await settle();
    for (const name of ["a1", "b1", "c1", "a2", "b2", "a3"]) await end(name);
    expect(begun).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
  });

  it("are refused to a tenant that has too many waiting, while another may still wait", async () => {
    const { run, settle } = makeWork(new TenantPlaces(limits));
    for (const name of ["a1", "a2", "a3", "a4", "a5"]) void run(1, name);
    await expect(run(1, "a6")).rejects.toMatchObject({ code: "overloaded" });
    for (const name of ["b1", "b2"]) void run(2, name);
    await settle();
    await expect(run(3, "c1")).rejects.toMatchObject({ code: "overloaded" });
  });

  it("are free again after work that failed, and after waiting that was given up", async () => {
    const places = new TenantPlaces({ ...limits, places: 1, placesPerTenant: 1 });
    const { begun, end, run, settle } = makeWork(places);
    const failed = places.run(1, forEver, async () => Promise.reject(new Error("no")));
    await expect(failed).rejects.toThrow("no");
    void run(1, "a1");
    const patience = new AbortController();
    const given = run(2, "b1", patience.signal);
    patience.abort();
    await expect(given).rejects.toMatchObject({ code: "overloaded" });
    void run(3, "c1");
    await settle();
    await end("a1");
    expect(begun).toEqual(["a1", "c1"]);
  });
});
