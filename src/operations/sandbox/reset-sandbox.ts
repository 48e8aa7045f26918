import { defineOperation } from "../../core/operation.ts";
import { StoreClockModel } from "../../models/sandbox.ts";
import { requireTenantWide } from "../records.ts";
import { requireSandbox } from "./require-sandbox.ts";

export const resetSandbox = defineOperation({
  name: "sandbox.reset",
  summary: "Bring the store of a sandbox server, with all its tenants, back to what it held at the start",
  route: "POST /sandbox/reset",
  output: StoreClockModel,
  allow: ["Admin"],
  // It replaces the store, which no transaction can do.
  effect: "call",
  extension: true,
  ofServer: true,
  async run({ actor, service }) {
    requireTenantWide(actor);
    return requireSandbox(service).reset();
  },
});
