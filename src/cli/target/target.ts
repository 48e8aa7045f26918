import { type Client, createClient } from "../../client/client.ts";
import { send } from "../../client/send.ts";
import { toInput } from "../../client/to-input.ts";
import { type Actor, nobody, toActor } from "../../core/actor.ts";
import type { Access } from "../../core/operation.ts";
import type { Service } from "../../core/service.ts";
import { failure, usageFailure } from "../../errors/errors.ts";
import { matchNames, onlyMatch } from "../../records/match-names.ts";
import { kindOf } from "../../records/record-kinds.ts";
import { systemClock } from "../../runtime/clock.ts";
import { toShownStore } from "../../store/postgres/address.ts";
import type { Tenant } from "../../store/queries/accounts.ts";
import type { SecretKeys } from "../../store/secrets/secret-keys.ts";
import type { CliContext } from "../context.ts";
import { tellCuresOf } from "../cures/tell-cures-of.ts";
import { say, tell } from "../output/tell.ts";
import { defaultStore, isGone } from "../profiles/last-store.ts";
import { type Settings, type Sourced, sourceOf } from "../settings.ts";
import type { TenantConnection, TenantFacts } from "./connect.ts";
import { readSecretKeys } from "./read-secret-keys.ts";
import { readToken } from "./read-token.ts";
import { traceRequests } from "./trace-requests.ts";

export interface Target extends TenantConnection {
  name: string;
  /** null for a server. */
  store: { service: Service; actor: Actor } | null;
}

const noTenant: TenantFacts = { id: 0, name: "none", paper: "letter", time_zone: "UTC" };

/** The caller closes it. */
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
  targetOfClient.set(target.client, target);
  return target;
}

const targetOfClient = new WeakMap<Client, Target>();

/** The open target of a client, for code that has only the client; null for a client of another origin. */
export function findTarget(client: Client): Target | null {
  return targetOfClient.get(client) ?? null;
}

/** Users overlook a variable that overrides their profile. */
function tellOtherTarget({ stderr }: CliContext, { data, form, profile, url }: Settings): void {
  const used = url.value === null ? data : url;
  const { name, values } = profile.value ?? {};
  const kept = values?.url ?? values?.data;
  const isOverlooked = profile.source === "--profile" && used.source.startsWith("DISPATCH_");
  if (!isOverlooked || kept === undefined || used.value === kept || form !== "table") return;
  tell(stderr, `${used.source} overrides the target of profile ${name}. Unset it to use the profile.`);
}

export interface StoreOptions {
  /** The operation needs neither tenant nor user. */
  access?: Access;
  /** Any tenant is suitable. */
  anyTenant?: boolean;
  /** Server only: the command itself retries. */
  hasPatience?: boolean;
  /** Server only: the command repeats its reads. */
  readsAgain?: boolean;
  /** Server only: each request has its own connection, so that processes at an address take turns. */
  takesTurns?: boolean;
  fonts?: readonly string[];
  /** The command makes many changes, each with its own undo. */
  isSession?: boolean;
  /** Store only: the command makes many repeatable changes. */
  isBulk?: boolean;
  /** Print no notes about the target, because a program reads the output. */
  isSilent?: boolean;
  /** The option that names the tenant. */
  tenantNamedBy?: string;
  /** Store only: changes create events for webhooks. Default: true. */
  makesEvents?: boolean;
}

/** The last created store if none is named. Throws store_not_found if it is gone, and a usage error for --url. */
export function storeOf(settings: Settings): Sourced<string> {
  refuseServer(settings);
  const { data, lastStore } = settings;
  if (data.value !== null) return { value: data.value, source: data.source };
  if (lastStore === null) return { value: defaultStore(), source: "default" };
  if (!isGone(lastStore)) return { value: lastStore.data, source: sourceOf(lastStore) };
  throw failure(
    "store_not_found",
    `${lastStore.data} is gone: ${lastStore.madeBy} created it, and commands without --data used it.`,
  );
}

/** Reports once that a command uses the last created store. */
async function tellLastStore(context: CliContext, { form, lastStore }: Settings): Promise<void> {
  if (lastStore === null || lastStore.isTold || form !== "table") return;
  const { data, madeBy, tenant } = lastStore;
  const place = `${toShownStore(data)}${tenant === null ? "" : `, tenant ${tenant}`}`;
  say(context.stderr, `No --data given: using ${place}, which ${madeBy} created.`);
  const { keepLastStore } = await import("../profiles/keep-profile.ts");
  keepLastStore(context, { ...lastStore, isTold: true });
}

export function refuseServer({ url }: Settings): void {
  if (url.source === "--url") throw worksOnStoreOnly(String(url.value));
}

async function openStore(
  context: CliContext,
  settings: Settings,
  {
    access,
    anyTenant = false,
    fonts = [],
    isBulk = false,
    isSession = false,
    makesEvents = true,
    tenantNamedBy,
  }: StoreOptions,
): Promise<Target> {
  const data = storeOf(settings).value;
  const name = toShownStore(data);
  const { openService } = await import("../../core/open-service.ts");
  const { checkSecretKeys } = await import("../../store/life/reseal-secrets.ts");
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
      // The examples of a demo store use its first tenant.
      anyTenant || (await service.store.metadata.get("made_by")) === "demo",
      tenantNamedBy,
    );
    const actor = await findActor(service, tenant, settings.as.value);
    const target = await toStoreTarget(context, service, { actor, isSession, name, tenant });
    const close = () => deliverCaused(context, service, secretKeys).finally(target.close);
    return { ...target, close };
  } catch (error) {
    await service.store.close();
    throw error;
  }
}

export async function openStoreClient(
  { http }: Pick<CliContext, "http">,
  service: Service,
  actor: Actor,
  isSession = false,
): Promise<Client> {
  const own = await http.localFetch(service, actor);
  const fetch = isSession ? own : traceRequests(own);
  const always = { ...sentOnce, makeKey: null, onError: tellCuresOf, tenant: null, toInput, token: null };
  return createClient({ ...always, fetch });
}

async function toStoreTarget(
  { http }: CliContext,
  service: Service,
  {
    actor,
    isSession,
    name,
    tenant,
  }: { actor: Actor; isSession?: boolean; name: string; tenant: TenantFacts },
): Promise<Target> {
  const client = await openStoreClient({ http }, service, actor, isSession);
  const sendRaw: Target["send"] = async (path, init) => {
    const fetch = await http.localFetch(service, actor, { isWhole: true });
    return send({ ...sentOnce, fetch, init, isRepeatable: false, path, signal: undefined });
  };
  const { clock } = service;
  const close = () => service.store.close();
  return { name, tenant, client, clock, send: sendRaw, store: { service, actor }, close };
}

const sentOnce = { retries: 0, timeoutMs: 2 ** 31 - 1, url: "http://localhost" };

/** The command must not seem to hang. */
export function tellWait({ stderr }: CliContext, store: string): void {
  tell(stderr, `Waiting up to 10 s for another program to release ${store}.`);
}

function halfCopy(name: string) {
  const detail = `${name} is the unfinished copy of another store; repeat the \`store copy\` to finish it.`;
  return failure("store_unreadable", detail);
}

/** Slow deliveries stay in the outbox. */
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
  say(context.stderr, `${pending} webhook ${noun} ${verb} pending; ${wayOn}.`);
}

const deliverMsMax = 5_000;

async function findActor(
  { store }: Service,
  { frozen_reason: frozenReason, id: tenantId }: Tenant,
  username: string | null,
): Promise<Actor> {
  const user = await store.accounts.findUser(tenantId, username);
  if (user) return { ...toActor(tenantId, user, null, null), frozenReason };
  const detail =
    username === null ? `Tenant ${tenantId} has no user.` : `Tenant ${tenantId} has no user "${username}".`;
  throw usageFailure(detail, "`dispatch-cli users list --location <id>` shows them.");
}

export function chooseTenant<Listed extends TenantFacts>(
  tenants: readonly Listed[],
  wanted: number | string | null,
  anyTenant: boolean,
  tenantNamedBy = "--tenant or DISPATCH_TENANT",
): Listed {
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
  typeof wanted === "number" ? `No tenant has the id ${wanted}` : `No tenant, or several, match "${wanted}"`;

function findTenant<Listed extends TenantFacts>(
  tenants: readonly Listed[],
  wanted: number | string,
): Listed | undefined {
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
    isSession = false,
    readsAgain = false,
    takesTurns = false,
    tenantNamedBy,
  }: StoreOptions,
): Promise<Target> {
  if (access === "store") throw worksOnStoreOnly(url);
  const { connect, connectWithoutToken, parseBaseUrl } = await import("./connect.ts");
  if (access === "anyone")
    return {
      ...{ name: url, tenant: noTenant, clock: systemClock, store: null },
      ...connectWithoutToken(url, { timeoutMs: readTimeout(context) }),
    };
  if (settings.as.value !== null)
    throw failure("usage", "--as chooses a user of a store; on a server the token does.");
  // An invalid address is reported before a missing token.
  parseBaseUrl(url);
  const token = await readToken(context, settings);
  const choose = (tenants: readonly TenantFacts[], wanted: number | string | null) =>
    chooseTenant(tenants, wanted, anyTenant, tenantNamedBy);
  const connection = await connect(url, token, settings.tenant.value, choose, {
    isSession,
    remembers: readsAgain,
    takesTurns,
    timeoutMs: readTimeout(context),
    tell: hasPatience ? null : (line) => tell(context.stderr, line),
  });
  return { name: url, store: null, ...connection };
}

function readTimeout({ env: { DISPATCH_TIMEOUT: text = "" } }: CliContext): number | undefined {
  if (text === "") return undefined;
  const seconds = Number(text);
  if (seconds > 0 && seconds <= secondsMax) return seconds * 1000;
  throw failure("usage", `DISPATCH_TIMEOUT must be a number of seconds up to ${secondsMax}, not "${text}".`);
}

const secondsMax = 86_400;
