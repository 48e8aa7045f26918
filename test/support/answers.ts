import type { Role } from "../../src/models/user.ts";
import type { OperationName } from "../../src/operations/index.ts";

/** Answers as tests read them: the fields they look into by name, and the rest as it comes. */
interface Fields {
  [field: string]: unknown;
}

export interface CustomerAnswer extends Fields {
  id: number;
  name: string;
  addresses: AddressAnswer[];
  contacts: Fields[];
}

export interface AddressAnswer extends Fields {
  id: number;
}

export interface JobAnswer extends Fields {
  id: number;
  customer: CustomerAnswer | null;
}

export interface HookAnswer extends Fields {
  id: number;
  secret: string | null;
}

export interface TokenAnswer extends Fields {
  id: number;
  token: string | null;
}

export interface UserAnswer extends Fields {
  id: number;
  roles: Role[];
  username: string;
}

export interface DeliveryAnswer extends Fields {
  attempts: Fields[] | null;
  delivery_id: string;
  request: { body: string; headers: Record<string, string>; url: string } | null;
  response: { body: string; headers: Record<string, string>; status: number } | null;
  status: string;
}

interface PingAnswer extends Fields {
  delivery_id: string;
  http_status: number;
  message: string;
}

interface HaulerAnswer extends Fields {
  /** A UUID. */
  id: string;
}

interface ChatAnswer extends Fields {
  id: number;
  text: string;
}

interface NumberedAnswer extends Fields {
  id: number;
}

export interface AuditEntryAnswer extends Fields {
  after: Fields | null;
  before: Fields | null;
  id: number;
}

export interface ListAnswer<T> extends Fields {
  current_limit: number;
  current_page: number;
  results: T[];
  total_count: number;
  total_pages: number;
}

interface Answers {
  "audit.list": ListAnswer<AuditEntryAnswer>;
  "events.list": ListAnswer<Fields>;
  "jobs.timeline": ListAnswer<AuditEntryAnswer>;
  "tokens.rotate": TokenAnswer;
  "addresses.add": AddressAnswer;
  "addresses.get": AddressAnswer;
  "addresses.list": ListAnswer<AddressAnswer>;
  "chats.edit": ChatAnswer;
  "chats.list": ListAnswer<ChatAnswer>;
  "chats.recipients": Fields[];
  "chats.send": ChatAnswer;
  "customers.create": CustomerAnswer;
  "customers.get": CustomerAnswer;
  "customers.list": ListAnswer<CustomerAnswer>;
  "gps.record": NumberedAnswer;
  "haulers.connections": ListAnswer<Fields>;
  "haulers.create": HaulerAnswer;
  "haulers.get": HaulerAnswer;
  "haulers.list": ListAnswer<HaulerAnswer>;
  "addresses.remove": AddressAnswer;
  "addresses.update": AddressAnswer;
  "contacts.add": NumberedAnswer;
  "contacts.get": NumberedAnswer;
  "contacts.list": ListAnswer<NumberedAnswer>;
  "contacts.update": NumberedAnswer;
  "customer-locations.add": CustomerAnswer;
  "customer-locations.get": CustomerAnswer;
  "customer-locations.list": ListAnswer<CustomerAnswer>;
  "customer-locations.remove": CustomerAnswer;
  "customer-locations.update": CustomerAnswer;
  "customers.update": CustomerAnswer;
  "asset-types.create": NumberedAnswer;
  "asset-types.get": NumberedAnswer;
  "asset-types.list": ListAnswer<NumberedAnswer>;
  "asset-types.update": NumberedAnswer;
  "assets.create": NumberedAnswer;
  "assets.get": NumberedAnswer;
  "assets.list": ListAnswer<NumberedAnswer>;
  "assets.update": NumberedAnswer;
  "drivers.create": NumberedAnswer;
  "drivers.get": NumberedAnswer;
  "drivers.list": ListAnswer<NumberedAnswer>;
  "drivers.update": NumberedAnswer;
  "dump-destinations.create": NumberedAnswer;
  "dump-destinations.get": NumberedAnswer;
  "dump-destinations.list": ListAnswer<NumberedAnswer>;
  "dump-destinations.update": NumberedAnswer;
  "deliveries.get": DeliveryAnswer;
  "deliveries.list": ListAnswer<DeliveryAnswer>;
  "hooks.create": HookAnswer;
  "hooks.delete": HookAnswer;
  "hooks.enable": HookAnswer;
  "hooks.get": HookAnswer;
  "hooks.list": ListAnswer<HookAnswer>;
  "hooks.ping": PingAnswer;
  "hooks.rotate-secret": HookAnswer;
  "hooks.update": HookAnswer;
  "jobs.add-image": JobAnswer;
  "jobs.add-item": NumberedAnswer;
  "jobs.add-material": JobAnswer;
  "jobs.create": JobAnswer;
  "jobs.dispatch": JobAnswer;
  "jobs.get": JobAnswer;
  "jobs.list": ListAnswer<JobAnswer>;
  "jobs.update": JobAnswer;
  "locations.create": NumberedAnswer;
  "locations.customer": CustomerAnswer;
  "locations.customers": ListAnswer<CustomerAnswer>;
  "locations.get": NumberedAnswer;
  "locations.jobs": ListAnswer<JobAnswer>;
  "locations.list": ListAnswer<NumberedAnswer>;
  "locations.update": NumberedAnswer;
  "materials.create": NumberedAnswer;
  "materials.list": ListAnswer<NumberedAnswer>;
  "tenants.list": ListAnswer<NumberedAnswer>;
  "tokens.create": TokenAnswer;
  "tokens.list": ListAnswer<TokenAnswer>;
  "tokens.revoke": TokenAnswer;
  "trucks.create": NumberedAnswer;
  "trucks.get": NumberedAnswer;
  "trucks.list": ListAnswer<NumberedAnswer>;
  "trucks.update": NumberedAnswer;
  "users.create": UserAnswer;
  "users.get": UserAnswer;
  "users.list": ListAnswer<UserAnswer>;
  "users.update": UserAnswer;
}

/** The answer of an operation; one that is not listed above is plain fields. */
export type AnswerOf<Name extends OperationName> = Name extends keyof Answers ? Answers[Name] : Fields;
