import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../../src/library/index.ts";
import { toSender } from "../../support/sandbox-client.ts";

let server: TestServer;
let send: ReturnType<typeof toSender>;

beforeAll(async () => {
  server = await startTestServer();
  send = toSender(server);
});

afterAll(() => server.close());

const fault = (value: string) => ({ "x-sandbox-fault": value });
const trucks = () => `/locations/${server.locationId}/trucks`;
const makeTruck = (name: string, asked: string, signal?: AbortSignal) =>
  send("POST", trucks(), { name }, fault(asked), signal);
const names = async () =>
  (await send("GET", trucks())).body.results.map(({ name }: { name: string }) => name);

describe("x-sandbox-fault", () => {
  it("answers 503 and runs nothing", async () => {
    const { body, status } = await makeTruck("Refused", "503");
    expect([status, body.code]).toEqual([503, "overloaded"]);
    expect(await names()).not.toContain("Refused");
  });

  it("closes the connection before or after the operation", async () => {
    await expect(makeTruck("Dropped", "drop")).rejects.toThrow("fetch failed");
    await expect(makeTruck("Dropped after", "drop=after")).rejects.toThrow("fetch failed");
    expect((await names()).filter((name: string) => name.startsWith("Dropped"))).toEqual(["Dropped after"]);
  });

  it("delays the answer, and also fails cached answers", async () => {
    const begun = performance.now();
    expect(await makeTruck("Slow", "slow=0.2s")).toMatchObject({ status: 200 });
    expect(performance.now() - begun).toBeGreaterThanOrEqual(190);
    await names();
    expect(await send("GET", trucks(), undefined, fault("503"))).toMatchObject({ status: 503 });
  });

  it.each([
    "",
    "slow",
    "slow=31s",
    "slow=-1s",
    "slow=2",
    "SLOW=1s",
    "503, drop",
    "504",
    "timeout=before",
    "é",
  ])("refuses %j by name", async (value) => {
    const { body, status } = await makeTruck("Odd", value);
    expect([status, body.code]).toEqual([400, "invalid_header"]);
    expect(body.detail).toContain("slow=2s");
  });

  it("has no effect for an unknown caller", async () => {
    const stranger = { ...fault("timeout"), authorization: "Bearer nobody" };
    expect(await send("GET", "/jobs", undefined, stranger)).toMatchObject({ status: 401 });
  });

  it("limits a tenant to 20 waiting requests of 200, without effect on other tenants, and ends with a reset", async () => {
    const silent = Array.from({ length: 200 }, () => makeTruck("Silent", "timeout").catch(() => null));
    const refused = await new Promise<number>((resolve) => {
      let count = 0;
      for (const one of silent)
        void one.then((answer) => {
          if (answer?.status === 503) count += 1;
          if (count === 180) resolve(count);
        });
    });
    expect(refused).toBe(180);
    expect(await makeTruck("Meanwhile", "slow=0s")).toMatchObject({ status: 503 });
    expect(await send("POST", trucks(), { name: "Served" })).toMatchObject({ status: 200 });
    expect(await names()).not.toContain("Silent");
    await server.reset();
    expect((await Promise.all(silent)).filter((answer) => answer === null)).toHaveLength(20);
    expect(await names()).toEqual([]);
  });
});
