import { expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { describeInProcess } from "../support/targets.ts";

describeInProcess("whoami on a store", (harness) => {
  it("shows target, tenant, user and roles, and the source of each", async () => {
    const env = { DISPATCH_DATA: harness.store.data, DISPATCH_TENANT: String(harness.acme.tenantId) };
    const { code, stdout, stderr } = await runCommand(["whoami", "--as", "the-Dispatcher"], { env });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.replace(/^target .*\(/, "target (").split("\n")).toEqual([
      "target (DISPATCH_DATA)",
      expect.stringMatching(/^driver {12}(?:pg|better-sqlite3, SQLite 3\.\S+)$/),
      `tenant            ${harness.acme.tenantId} (DISPATCH_TENANT)`,
      "tenant_name       Acme",
      "frozen_reason     –",
      `location          ${harness.acme.locationId} (the only one)`,
      "location_name     Acme yard",
      "user              the-Dispatcher (--as)",
      "roles             Dispatcher",
      "token_id          –",
      "token_expires_on  –",
      "api_version       2023/04/19 (default)",
      "output            table (default)",
      "profile           – (default)",
      "",
    ]);
  });

  it("shows no password of a database", async () => {
    const password = URL.canParse(harness.store.data) ? new URL(harness.store.data).password : "";
    const words = ["whoami", "--data", harness.store.data, "--tenant", String(harness.acme.tenantId)];
    const { stdout } = await runCommand(words);
    if (password !== "") expect(stdout).not.toContain(password);
    expect(stdout).toContain("(--data)");
  });
});
