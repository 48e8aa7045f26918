import { expect, it, onTestFinished } from "vitest";
import { bindToTenant, type CustomerCache } from "../../src/store/access/access.ts";
import { noCountMemory } from "../../src/store/access/count-memory.ts";
import { noEmbedMemory } from "../../src/store/access/embed-memory.ts";
import { wholeTenant } from "../../src/store/access/row-scopes.ts";
import { openDatabase } from "../../src/store/open-database.ts";
import { loadCustomers } from "../../src/store/queries/load-customers.ts";
import type { Customer } from "../../src/store/schema/customer.ts";
import { describeInProcess } from "../support/targets.ts";

describeInProcess("customers in memory", (harness) => {
  it("are shown even when another reader has put a newer one in their place meanwhile", async () => {
    const database = openDatabase(harness.store.data);
    onTestFinished(() => database.close());
    const { tenantId, customerId } = harness.acme;
    const kept = { id: customerId, name: "As it was" } as Customer;
    let isReplaced = false;
    const memory: CustomerCache = {
      get: () => {
        const found = isReplaced ? undefined : kept;
        isReplaced = true;
        return found;
      },
      keep: () => undefined,
    };
    const access = bindToTenant(database.direct(tenantId), tenantId, wholeTenant, {
      counts: noCountMemory,
      customers: memory,
      embeds: noEmbedMemory,
    });
    expect([...(await loadCustomers(access, [customerId])).values()]).toEqual([kept]);
  });
});
