import type { Actor } from "../../auth/actor.ts";
import type { Context } from "../../core/context.ts";
import { defineOperation } from "../../core/operation.ts";
import type { Cure } from "../../errors/cure.ts";
import { DispatchError } from "../../errors/errors.ts";
import { uuid } from "../../models/fields.ts";
import { CreateHaulerConnectionRequestModel, ThirdPartyHaulerConnectionModel } from "../../models/hauler.ts";
import type { HaulerConnection } from "../../store/queries/hauler-connections.ts";
import type { Hauler } from "../../store/queries/haulers.ts";
import type { Tenant } from "../../store/queries/tenants.ts";
import { isSameCode } from "../tenants/tenant-code.ts";
import { toConnectionAnswer } from "./connection-answer.ts";
import { requireHauler } from "./known-haulers.ts";

/**
 * A connection that an Admin or a Dispatcher asks for is approved with that. One that others ask for waits until an
 * Admin or a Dispatcher connects the same hauler. There is one a hauler; asking again answers with it.
 */
export const connectHauler = defineOperation({
  name: "haulers.connect",
  summary: "Connect a third-party hauler with the tenant, or ask for it",
  route: "POST /haulers/{hauler_uuid}/connections",
  params: { hauler_uuid: uuid() },
  body: CreateHaulerConnectionRequestModel,
  output: ThirdPartyHaulerConnectionModel,
  allow: ["Admin", "Dispatcher", "Driver", "ThirdPartyDispatcher", "ThirdPartyDriver"],
  async run(context, { params, body }) {
    const { store } = context;
    const hauler = await requireHauler(context, params.hauler_uuid);
    const tenant = await store.tenant.get();
    requireOwnCode(tenant, body.tenant_code);
    const known = await store.haulerConnections.find(hauler.id);
    const connection = known ? await approve(context, known) : await request(context, hauler);
    return toConnectionAnswer(connection, tenant);
  },
});

/** The answer is the same whether another tenant has the code or none has. */
function requireOwnCode({ code }: Tenant, sent: string): void {
  if (code !== null && isSameCode(code, sent)) return;
  const field = "CreateHaulerConnectionRequestModel.tenant_code";
  const isWithout = code === null;
  const fact = isWithout
    ? "the tenant has no code yet; who has the store gives it one"
    : "this is not the tenant's code";
  const see: Cure = isWithout ? { command: "tenants update" } : { operation: "tenants.list" };
  throw new DispatchError([{ code: "unknown_reference", detail: `${field}: ${fact}.`, field, see }]);
}

async function request({ actor, now, store, changed }: Context, { id }: Hauler): Promise<HaulerConnection> {
  const isApproved = mayApprove(actor);
  const after = await store.haulerConnections.insert({
    approved_by: isApproved ? actor.user.id : null,
    approved_on: isApproved ? now : null,
    denied_on: null,
    hauler_uuid: id,
    location_id: actor.user.location_id,
    requested_by: actor.user.id,
    requested_on: now,
  });
  changed({ type: "HaulerConnection", action: "created", id: after.id, before: null, after });
  return after;
}

async function approve(
  { actor, now, store, changed }: Context,
  before: HaulerConnection,
): Promise<HaulerConnection> {
  if (before.approved_on !== null || !mayApprove(actor)) return before;
  const approval = { approved_by: actor.user.id, approved_on: now };
  await store.haulerConnections.approve(before.id, approval);
  const after = { ...before, ...approval, denied_on: null };
  changed({ type: "HaulerConnection", action: "approved", id: before.id, before, after });
  return after;
}

function mayApprove({ roles }: Actor): boolean {
  return roles.includes("Admin") || roles.includes("Dispatcher");
}
