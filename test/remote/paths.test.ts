import { expect, it, onTestFinished } from "vitest";
import { newestVersion } from "../../src/models/api-versions.ts";
import { loadOperation } from "../../src/operations/index.ts";
import { listen } from "../support/listen.ts";
import { connectCaller } from "../support/local-caller.ts";

it("sends nothing for a parameter that would lead to another path", async () => {
  const paths: string[] = [];
  const address = await listen(({ url = "" }, response) => {
    paths.push(url);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ results: [{ id: 1, name: "Acme" }], total_count: 1 }));
  });
  const caller = await connectCaller(address, "a.b", null, ([tenant]) => {
    if (!tenant) throw new Error("The server has no tenant.");
    return tenant;
  });
  onTestFinished(() => caller.close());
  const operation = await loadOperation("addresses.remove");
  for (const customer_address_id of [".", ".."]) {
    const params = { customer_address_id, customer_id: "7" };
    const request = { body: undefined, dryRun: false, params, query: {}, version: newestVersion };
    await expect(caller.call(operation, request)).rejects.toThrow("customer_address_id cannot be");
  }
  expect(paths).toEqual(["/tenants?page_limit=1000"]);
});
