import { defineOperation } from "../../core/operation.ts";
import { requireTenantWide } from "../records.ts";
import { requireSandbox } from "./require-sandbox.ts";

export const listSandboxRequests = defineOperation({
  name: "sandbox.requests",
  summary: "Get the recorded requests of the tenant as an HTTP Archive (HAR), without their secrets",
  route: "GET /sandbox/requests.har",
  output: {
    mediaType: "application/json",
    render: async (bytes: Uint8Array) => ({ bytes, fileName: "requests.har" }),
  },
  allow: ["Admin"],
  extension: true,
  ofServer: true,
  reads: { varies: "by-call" },
  async run({ actor, service }) {
    requireTenantWide(actor);
    return requireSandbox(service).toArchive(actor.scope.tenantId);
  },
});
