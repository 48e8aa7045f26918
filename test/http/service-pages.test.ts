import { expect, it } from "vitest";
import { describeOverHttp, freshBed } from "../support/targets.ts";

describeOverHttp("the pages beside the interface", (bed) => {
  it.each(["/healthz", "/readyz", "/openapi.json"])("%s needs no token", async (path) => {
    const { status, headers } = await bed.send({ path });
    expect(status).toBe(200);
    expect(headers["content-type"]).toMatch(/^application\/json/);
  });

  it("/readyz says when the store cannot be reached; /healthz goes on", async () => {
    const broken = await freshBed(bed);
    broken.store.execute("alter table tenants rename to former_tenants");
    expect((await broken.send({ path: "/readyz" })).status).toBe(503);
    expect((await broken.send({ path: "/healthz" })).status).toBe(200);
  });
});
