import { failure } from "../errors/errors.ts";
import { type DateOrder, dateOrders } from "../local-time/date-order.ts";
import { type ApiVersion, apiVersions, isApiVersion } from "../models/api-versions.ts";
import { isPostgresAddress } from "../store/postgres/address.ts";
import type { CliContext, OptionValues } from "./context.ts";
import { type OutputForm, outputForms } from "./output/options.ts";
import { findLastStore, type LastStore } from "./profiles/last-store.ts";
import { defaultProfileName, findProfile, type Profile, type ProfileValues } from "./profiles/profiles.ts";

export interface Sourced<T> {
  value: T;
  source: string;
}

export interface Settings {
  profile: Sourced<Profile | null>;
  data: Sourced<string | null>;
  url: Sourced<string | null>;
  /** Used if nothing names a target. */
  lastStore: LastStore | null;
  /** `-` is standard input. Overrides `token`. */
  tokenFile: Sourced<string | null>;
  /** Overrides DISPATCH_SECRET_KEY. */
  secretKeyFile: Sourced<string | null>;
  token: Sourced<string | null>;
  /** Do not warn about a token over plain http to another machine. */
  isInsecure: boolean;
  /** By ID or name. */
  tenant: Sourced<number | string | null>;
  as: Sourced<string | null>;
  /** By ID or name. */
  location: Sourced<string | null>;
  apiVersion: Sourced<ApiVersion | null>;
  form: OutputForm;
  formSource: string;
  fields: string | null;
  noColor: boolean;
  /** Show and read times in UTC instead of the location's zone. */
  isUtc: boolean;
  /** null: the order of the country. */
  dateOrder: DateOrder | null;
}

export type SettingName =
  | "data"
  | "url"
  | "token"
  | "tokenFile"
  | "secretKeyFile"
  | "tenant"
  | "as"
  | "location"
  | "apiVersion"
  | "output"
  | "profile";

export function toVariable(name: SettingName): string {
  return `DISPATCH_${toKebab(name).replaceAll("-", "_").toUpperCase()}`;
}

export function readSettings(context: CliContext, options: OptionValues): Settings {
  const profile = pickProfile(context, pickText(context.env, options, "profile", null));
  const settings = toSettings(context.env, options, profile);
  const isNamed = settings.data.value !== null || settings.url.value !== null;
  const lastStore = isNamed ? null : findLastStore(context);
  return lastStore === null ? settings : withLastStore(settings, lastStore);
}

function withLastStore(settings: Settings, lastStore: LastStore): Settings {
  const tenant =
    settings.tenant.value === null && lastStore.tenant !== null
      ? { value: parseTenant(lastStore.tenant), source: sourceOf(lastStore) }
      : settings.tenant;
  return { ...settings, lastStore, tenant };
}

/** The source of settings from the last store. */
export const sourceOf = ({ madeBy }: LastStore): string => `created last by ${madeBy}`;

export function toSettings(
  env: CliContext["env"],
  options: OptionValues,
  profile: Sourced<Profile | null> = { value: null, source: "default" },
): Settings {
  const pick = (option: SettingName, from: Profile | null = null) => pickText(env, options, option, from);
  const named = pickTarget(pick("data"), pick("url"));
  const isNamed = named.data.value !== null || named.url.value !== null;
  const own = isItsTarget(named, profile.value) ? profile.value : null;
  const output = pick("output", profile.value);
  return {
    profile,
    data: mapSourced(isNamed ? named.data : pick("data", own), parseStore),
    url: isNamed ? named.url : pick("url", own),
    lastStore: null,
    tokenFile: pick("tokenFile"),
    secretKeyFile: pick("secretKeyFile"),
    token: pick("token", own),
    isInsecure:
      options.insecure === true || (env.DISPATCH_INSECURE ?? "") !== "" || own?.values.insecure === "yes",
    tenant: mapSourced(pick("tenant", own), parseTenant),
    as: pick("as", own),
    location: pick("location", own),
    apiVersion: mapSourced(pick("apiVersion", profile.value), parseVersion),
    form: parseForm(output),
    formSource: output.source,
    fields: typeof options.fields === "string" ? options.fields : null,
    noColor: options.color === false,
    isUtc: options.utc === true,
    dateOrder: parseDateOrder(options.dateOrder),
  };
}

/** Webhook bodies ignore the environment and profiles, whose version is for responses. */
export function namedVersion({ apiVersion }: Settings): ApiVersion | null {
  return apiVersion.source === "--api-version" ? apiVersion.value : null;
}

function pickText(
  env: CliContext["env"],
  options: OptionValues,
  setting: SettingName,
  profile: Profile | null,
): Sourced<string | null> {
  const given = options[setting];
  const name = toKebab(setting);
  if (given === "") throw failure("usage", `--${name} is empty.`);
  if (typeof given === "string") return { value: given, source: `--${name}` };
  const variable = toVariable(setting);
  const set = env[variable];
  if (set !== undefined && set !== "") return { value: set, source: variable };
  const kept = profile?.values[name.replaceAll("-", "_") as keyof ProfileValues];
  return kept === undefined
    ? { value: null, source: "default" }
    : { value: kept, source: `profile ${profile?.name}` };
}

function pickProfile(context: CliContext, named: Sourced<string | null>): Sourced<Profile | null> {
  const name = named.value ?? defaultProfileName(context);
  if (name === null) return { value: null, source: "default" };
  return { value: findProfile(context, name), source: named.value === null ? "profiles use" : named.source };
}

interface NamedTarget {
  data: Sourced<string | null>;
  url: Sourced<string | null>;
}

/** An option wins, even over a variable of the other kind. */
function pickTarget(data: NamedTarget["data"], url: NamedTarget["url"]): NamedTarget {
  const none: Sourced<null> = { value: null, source: "default" };
  if (data.source === "--data" && url.source === "--url")
    throw failure("usage", "Use either --data or --url, not both.");
  return { data: url.source === "--url" ? none : data, url: data.source === "--data" ? none : url };
}

/** A profile's token, tenant, and user apply only to its own target. */
function isItsTarget({ data, url }: NamedTarget, profile: Profile | null): boolean {
  if (url.value !== null) return url.value.replace(/\/+$/, "") === profile?.values.url;
  return data.value === null || data.value === profile?.values.data;
}

function mapSourced<T>(
  { value, source }: Sourced<string | null>,
  parse: (text: string, source: string) => T,
): Sourced<T | null> {
  return { value: value === null ? null : parse(value, source), source };
}

export function parseStore(text: string, source: string): string {
  const [scheme] = /^[a-z][a-z\d+.-]+:\/\//i.exec(text) ?? [];
  if (scheme === undefined || isPostgresAddress(text)) return text;
  throw failure("usage", `${source} must be a file or postgres://…, not ${scheme}…. For a server use --url.`);
}

const parseTenant = (text: string): number | string => (/^\d{1,15}$/.test(text) ? Number(text) : text);

function parseVersion(text: string, source: string): ApiVersion {
  if (isApiVersion(text)) return text;
  throw failure("usage", `${source} must be one of ${apiVersions.join(", ")}, not "${text}".`);
}

function parseDateOrder(given: unknown): DateOrder | null {
  if (typeof given !== "string") return null;
  const order = dateOrders.find((known) => known === given);
  if (order) return order;
  throw failure("usage", `--date-order must be one of ${dateOrders.join(", ")}, not "${given}".`);
}

function parseForm({ value, source }: Sourced<string | null>): OutputForm {
  if (value === null) return "table";
  const form = outputForms.find((known) => known === value);
  if (form) return form;
  throw failure("usage", `${source} must be one of ${outputForms.join(", ")}, not "${value}".`);
}

const toKebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
