import type { Actor } from "../core/actor.ts";
import type { Context } from "../core/context.ts";
import { defineOperation } from "../core/operation.ts";
import { hashPassword } from "../core/passwords.ts";
import type { Cure } from "../errors/cure.ts";
import { DispatchError, failure } from "../errors/errors.ts";
import { uuid } from "../models/fields.ts";
import {
  CreateHaulerConnectionRequestModel,
  CreateHaulerRequestModel,
  ThirdPartyHaulerConnectionListModel,
  ThirdPartyHaulerConnectionModel,
  ThirdPartyHaulerListModel,
  ThirdPartyHaulerModel,
} from "../models/hauler.ts";
import { paging, toList, toPaging } from "../models/page.ts";
import type { Tenant } from "../store/queries/accounts.ts";
import type { Hauler, HaulerConnection, KnownHaulers } from "../store/queries/haulers.ts";
import { isSameCode } from "../store/queries/match-key.ts";
import { found } from "./records.ts";

export const getHauler = defineOperation({
  name: "haulers.get",
  summary: "Show a third-party hauler",
  route: "GET /haulers/{hauler_uuid}",
  params: { hauler_uuid: uuid() },
  output: ThirdPartyHaulerModel,
  allow: ["Admin", "Dispatcher", "ThirdPartyDispatcher"],
  async run(context, { params }) {
    return requireHauler(context, params.hauler_uuid);
  },
});

export const listHaulers = defineOperation({
  name: "haulers.list",
  summary: "List third-party haulers, by name",
  route: "GET /haulers",
  query: paging,
  output: ThirdPartyHaulerListModel,
  allow: ["Admin", "Dispatcher", "ThirdPartyDispatcher"],
  async run({ actor, store }, { query }) {
    const wanted = toPaging(query);
    return toList(await store.haulers.page(toKnownHaulers(actor), wanted), wanted);
  },
});

/** Anybody may sign up. Without an actor and a tenant, it writes no audit entry. */
export const createHauler = defineOperation({
  name: "haulers.create",
  summary: "Sign up as a third-party hauler",
  description: "Refused with 403 unless the server's operator allows sign-ups.",
  route: "POST /haulers",
  body: CreateHaulerRequestModel,
  output: ThirdPartyHaulerModel,
  allow: "anyone",
  refuses: ["duplicate_record", "signup_disabled"],
  // Only the hash of the password continues from here.
  async prepare({ service }, { body, ...input }) {
    if (!service.policy.allowsHaulerSignup)
      throw failure("signup_disabled", "This server does not accept sign-ups of haulers.");
    return { ...input, body: { ...body, password: await hashPassword(service, String(body?.password)) } };
  },
  async run({ now, service, store }, { body }) {
    const username = body.username.normalize("NFC").toLowerCase();
    if (await store.haulers.isTaken(username)) {
      const detail = `There is a hauler with the username ${username} already.`;
      throw failure("duplicate_record", detail, "CreateHaulerRequestModel.username");
    }
    return store.haulers.insert({
      created_on: now,
      name: body.company_name,
      password_hash: body.password,
      username,
      uuid: service.makeUuid(),
    });
  },
});

export const listHaulerConnections = defineOperation({
  name: "haulers.connections",
  summary: "List the connections of a third-party hauler with the tenant",
  route: "GET /haulers/{hauler_uuid}/connections",
  params: { hauler_uuid: uuid() },
  query: paging,
  output: ThirdPartyHaulerConnectionListModel,
  allow: ["Admin", "Dispatcher", "Driver", "ThirdPartyDispatcher", "ThirdPartyDriver"],
  async run(context, { params, query }) {
    const { store } = context;
    const hauler = await requireHauler(context, params.hauler_uuid);
    const tenant = await store.tenant.get();
    const wanted = toPaging(query);
    const page = await store.haulerConnections.page(hauler.id, wanted);
    return toList({ ...page, rows: page.rows.map((row) => toConnectionAnswer(row, tenant)) }, wanted);
  },
});

/** An Admin or a Dispatcher approves a connection by asking for it; other roles wait for approval. */
export const connectHauler = defineOperation({
  name: "haulers.connect",
  summary: "Connect a third-party hauler with the tenant, or request the connection",
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

/** The error does not show whether another tenant has the code. */
function requireOwnCode({ code }: Tenant, sent: string): void {
  if (code !== null && isSameCode(code, sent)) return;
  const field = "CreateHaulerConnectionRequestModel.tenant_code";
  const isWithout = code === null;
  const fact = isWithout
    ? "the tenant has no code yet; the operator of the store sets it"
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

/** In the response, the tenant is the provider. */
function toConnectionAnswer(
  { approved_by, approved_on, denied_on, hauler_uuid, location_id, requested_on }: HaulerConnection,
  tenant: Pick<Tenant, "id" | "name">,
) {
  return {
    approved_by,
    approved_on,
    denied_on,
    is_approved: approved_on !== null,
    location_id,
    provider_id: tenant.id,
    provider_name: tenant.name,
    requested_on,
    third_party_hauler_id: hauler_uuid,
  };
}

/** The tenant's office chooses among all haulers. Third parties know only their own hauler, if any. */
function toKnownHaulers({ roles, scope, user }: Actor): KnownHaulers {
  const isInOffice = scope.rowScopes.some(({ kind }) => kind === "tenant" || kind === "location");
  const isOwnDriver = roles.includes("Driver") && user.driver_id !== null;
  if (isInOffice || isOwnDriver) return "all";
  return user.third_party_hauler_id === null ? [] : [user.third_party_hauler_id.toLowerCase()];
}

async function requireHauler({ actor, store }: Context, uuid: string): Promise<Hauler> {
  return found(await store.haulers.find(uuid, toKnownHaulers(actor)), "hauler", uuid);
}
