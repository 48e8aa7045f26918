import { type Actor, nobody, toActor } from "../../auth/actor.ts";
import { type Client, createClient } from "../../client/client.ts";
import { send } from "../../client/send.ts";
import type { Access } from "../../core/operation.ts";
import type { Service } from "../../core/service.ts";
import { failure, usageFailure } from "../../errors/errors.ts";
import { matchNames, onlyMatch } from "../../records/match-names.ts";
import { kindOf } from "../../records/record-kinds.ts";
import { systemClock } from "../../runtime/clock.ts";
import { checkSecretKeys } from "../../store/life/reseal-secrets.ts";
import { toShownStore } from "../../store/postgres/address.ts";
import type { SecretKeys } from "../../store/secrets/secret-keys.ts";
import type { CliContext } from "../context.ts";
import { say, tell } from "../output/tell.ts";
import { defaultStore, isGone } from "../profiles/last-store.ts";
import { type Settings, type Sourced, sourceOf } from "../settings.ts";
import { tellCuresOf, toInput } from "./client-defaults.ts";
import type { TenantConnection, TenantFacts } from "./connect.ts";
import { readSecretKeys } from "./read-secret-keys.ts";
import { readToken } from "./read-token.ts";

/** Where a command works: a store in this process, or a server; and for which tenant. */
export interface Target extends TenantConnection {
  name: string;
  /** A store that is open in this process, and the user who acts there; null for a server. */
  store: { service: Service; actor: Actor } | null;
}

/** In place of a tenant where none is needed. */
const noTenant: TenantFacts = { id: 0, name: "none", paper: "letter", time_zone: "UTC" };

/** Opens the target that the settings name; close it when done. */
export async function openTarget(
  context: CliContext,
  settings: Settings,
  options: StoreOptions = {},
): Promise<Target> {
  if (!options.isSilent) tellOtherTarget(context, settings);
  const target =
    settings.url.value === null
      ? await openStore(context, settings, options)
      : await openServer(context, settings, settings.url.value, options);
  if (!options.isSilent) await tellLastStore(context, settings);
  return target;
}

/** Warns that a variable overrides the profile that the command names, because that is easily overlooked. */
function tellOtherTarget({ stderr }: CliContext, { data, form, profile, url }: Settings): void {
  const used = url.value === null ? data : url;
  const { name, values } = profile.value ?? {};
  const kept = values?.url ?? values?.data;
  const isOverlooked = profile.source === "--profile" && used.source.startsWith("DISPATCH_");
  if (!isOverlooked || kept === undefined || used.value === kept || form !== "table") return;
  tell(stderr, `${used.source} goes before the target of profile ${name}; unset it to work there.`);
}

export interface StoreOptions {
  /** The operation needs neither tenant nor user. */
  access?: Access;
  /** Any of several tenants will do, because the command is not about one. */
  anyTenant?: boolean;
  /** On a server: the command itself asks again when the server is away. */
  hasPatience?: boolean;
  /** On a server: the command reads the same again and again. */
  readsAgain?: boolean;
  /** On a server: each request has a connection of its own, so that the processes at its address take turns. */
  takesTurns?: boolean;
  /** Font files for documents. */
  fonts?: readonly string[];
  /** On a store: the command makes many changes that it could repeat. */
  isBulk?: boolean;
  /** Nothing is told of which target is meant: it is no person who asks. */
  isSilent?: boolean;
  /** What a command line names the tenant by. */
  tenantNamedBy?: string;
  /** On a store: changes make events for webhooks. By default they do. */
  makesEvents?: boolean;
}

/**
 * The store that the settings name, else the one made last. Throws store_not_found when that one is gone, a usage error for a
 * server that an option names.
 */
export function storeOf(settings: Settings): Sourced<string> {
  refuseServer(settings);
  const { data, lastStore } = settings;
  if (data.value !== null) return { value: data.value, source: data.source };
  if (lastStore === null) return { value: defaultStore(), source: "default" };
  if (!isGone(lastStore)) return { value: lastStore.data, source: sourceOf(lastStore) };
  throw failure(
    "store_not_found",
    `${lastStore.data} is gone: ${lastStore.madeBy} made it, and commands that name no store worked on it.`,
  );
}

/** Says once, the first time, that a command works on the store that was made last. */
async function tellLastStore(context: CliContext, { form, lastStore }: Settings): Promise<void> {
  if (lastStore === null || lastStore.isTold || form !== "table") return;
  const { data, madeBy, tenant } = lastStore;
  const place = `${toShownStore(data)}${tenant === null ? "" : `, tenant ${tenant}`}`;
  say(context.stderr, `No store is named: working on ${place}, which ${madeBy} made. --data names another.`);
  const { keepLastStore } = await import("../profiles/keep-profile.ts");
  await keepLastStore(context, { ...lastStore, isTold: true });
}

/** Throws a usage error for a server that an option names, where a store is made or looked at. */
export function refuseServer({ url }: Settings): void {
  if (url.source === "--url") throw worksOnStoreOnly(String(url.value));
}

async function openStore(
  context: CliContext,
  settings: Settings,
  { access, anyTenant = false, fonts = [], isBulk = false, makesEvents = true, tenantNamedBy }: StoreOptions,
): Promise<Target> {
  const data = storeOf(settings).value;
  const name = toShownStore(data);
  const { openService } = await import("../../local/open-service.ts");
  const secretKeys = readSecretKeys(context, settings);
  const onWait = () => tellWait(context, name);
  const service = openService({ data, env: context.env, fonts, isBulk, makesEvents, onWait, secretKeys });
  try {
    await checkSecretKeys(service.store, secretKeys);
    if (await service.store.metadata.isHalfCopy()) throw halfCopy(name);
    const { clock } = service;
    await clock.refresh();
    if (access) return await toStoreTarget(context, service, { actor: nobody, name, tenant: noTenant });
    const tenant = chooseTenant(
      await service.store.accounts.tenants(),
      settings.tenant.value,
      // The first tenant of a demo store is the one that its examples name.
      anyTenant || (await service.store.metadata.get("made_by")) === "demo",
      tenantNamedBy,
    );
    const actor = await findActor(service, tenant.id, settings.as.value);
    const target = await toStoreTarget(context, service, { actor, name, tenant });
    const close = () => deliverCaused(context, service, secretKeys).finally(target.close);
    return { ...target, close };
  } catch (error) {
    await service.store.close();
    throw error;
  }
}

/** The client of a user of a store. */
export async function openStoreClient(
  { http }: Pick<CliContext, "http">,
  service: Service,
  actor: Actor,
): Promise<Client> {
  const fetch = await http.localFetch(service, actor);
  const always = { ...sentOnce, makeKey: null, onError: tellCuresOf, tenant: null, toInput, token: null };
  return createClient({ ...always, fetch });
}

async function toStoreTarget(
  { http }: CliContext,
  service: Service,
  { actor, name, tenant }: { actor: Actor; name: string; tenant: TenantFacts },
): Promise<Target> {
  const client = await openStoreClient({ http }, service, actor);
  const sendRaw: Target["send"] = async (path, init) => {
    const fetch = await http.localFetch(service, actor, { isWhole: true });
    return send({ ...sentOnce, fetch, init, isRepeatable: false, path, signal: undefined });
  };
  const { clock } = service;
  const close = () => service.store.close();
  return { name, tenant, client, clock, send: sendRaw, store: { service, actor }, close };
}

/** In this process nothing is lost on the way, and no time is too long. Nobody looks at the host. */
const sentOnce = { retries: 0, timeoutMs: 2 ** 31 - 1, url: "http://localhost" };

/** Says what a command waits for, so that nobody takes it for hanging. */
export function tellWait({ stderr }: CliContext, store: string): void {
  tell(stderr, `Waiting for another program to let go of ${store}, for 10 s at most.`);
}

function halfCopy(name: string) {
  const detail = `${name} is the unfinished copy of another store; the same \`store copy\` goes on with it.`;
  return failure("store_unreadable", detail);
}

/** Delivers what the command put into the outbox before it ends. Deliveries that take too long stay there. */
async function deliverCaused(context: CliContext, service: Service, secretKeys: SecretKeys): Promise<void> {
  const caused = service.outbox.notified();
  if (caused.length === 0) return;
  const [{ deliverFor }, { describeDeliverers, isLeftToNobody }] = await Promise.all([
    import("../../webhooks/worker.ts"),
    import("./delivery-notes.ts"),
  ]);
  const pending = await deliverFor(service, caused, deliverMsMax);
  if (pending === 0 || !(await isLeftToNobody(service))) return;
  const [noun, verb] = pending === 1 ? ["delivery", "is"] : ["deliveries", "are"];
  const wayOn = await describeDeliverers(service, secretKeys);
  say(context.stderr, `${pending} webhook ${noun} ${verb} still to be made; ${wayOn}.`);
}

const deliverMsMax = 5_000;

async function findActor({ store }: Service, tenantId: number, username: string | null): Promise<Actor> {
  const user = await store.accounts.findUser(tenantId, username);
  if (user) return toActor(tenantId, user, null, null);
  const detail =
    username === null ? `Tenant ${tenantId} has no user.` : `Tenant ${tenantId} has no user "${username}".`;
  throw usageFailure(detail, "`dispatch-cli users list --location <id>` shows them.");
}

/** Chooses the tenant that is named, or the only one there is. */
export function chooseTenant(
  tenants: readonly TenantFacts[],
  wanted: number | string | null,
  anyTenant: boolean,
  tenantNamedBy = "--tenant or DISPATCH_TENANT",
): TenantFacts {
  const chosen = wanted === null ? tenants[0] : findTenant(tenants, wanted);
  const known = tenants.map(({ id, name }) => `${id} (${name})`).join(", ");
  if (!chosen)
    throw failure(
      "tenant_not_accessible",
      wanted === null ? "There is no tenant." : `${toMissing(wanted)}; there are ${known}.`,
    );
  if (wanted === null && !anyTenant && tenants.length > 1) {
    throw usageFailure(`There are several tenants: ${known}.`, `Name one with ${tenantNamedBy}.`);
  }
  return chosen;
}

const toMissing = (wanted: number | string) =>
  typeof wanted === "number" ? `There is no tenant ${wanted}` : `"${wanted}" is the name of no one tenant`;

/** The tenant of an id, or the only one of a name. */
function findTenant(tenants: readonly TenantFacts[], wanted: number | string): TenantFacts | undefined {
  if (typeof wanted === "number") return tenants.find(({ id }) => id === wanted);
  return onlyMatch(matchNames(kindOf("tenants"), tenants, wanted))?.record;
}

function worksOnStoreOnly(url: string) {
  return usageFailure(
    "This works on a store only, never over HTTP.",
    `Run it where the store is, with --data, not on ${url}.`,
  );
}

async function openServer(
  context: CliContext,
  settings: Settings,
  url: string,
  {
    access,
    anyTenant = false,
    hasPatience = false,
    readsAgain = false,
    takesTurns = false,
    tenantNamedBy,
  }: StoreOptions,
): Promise<Target> {
  if (access === "store") throw worksOnStoreOnly(url);
  const { connect, connectWithoutToken, parseBaseUrl } = await import("./connect.ts");
  if (access === "anyone")
    return { name: url, tenant: noTenant, clock: systemClock, store: null, ...connectWithoutToken(url) };
  if (settings.as.value !== null)
    throw failure("usage", "--as chooses a user of a store; on a server the token does.");
  // The address is checked first: nobody should be asked for a token of one that cannot be.
  parseBaseUrl(url);
  const token = await readToken(context, settings);
  const choose = (tenants: readonly TenantFacts[], wanted: number | string | null) =>
    chooseTenant(tenants, wanted, anyTenant, tenantNamedBy);
  const connection = await connect(url, token, settings.tenant.value, choose, {
    remembers: readsAgain,
    takesTurns,
    tell: hasPatience ? null : (line) => tell(context.stderr, line),
  });
  return { name: url, store: null, ...connection };
}
