import { defineOperation } from "../../core/operation.ts";
import { requireTenantWide } from "../records.ts";
import { requireSandbox } from "./require-sandbox.ts";

export const listSandboxRequests = defineOperation({
  name: "sandbox.requests",
  summary: "Get the recorded requests of the tenant as an HTTP Archive (HAR), without their secrets",
  method: "GET",
  path: "/sandbox/requests.har",
  params: {},
  query: {},
  body: null,
  output: {
    mediaType: "application/json",
    render: async (bytes: Uint8Array) => ({ bytes, fileName: "requests.har" }),
  },
  roles: ["Admin"],
  effect: "read",
  extension: true,
  isNewEachTime: true,
  requireOffered: requireSandbox,
  async run({ actor, service }) {
    requireTenantWide(actor);
    return requireSandbox(service).toArchive(actor.scope.tenantId);
  },
});
