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

interface NumberedAnswer extends Fields {
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
  "addresses.add": AddressAnswer;
  "addresses.list": ListAnswer<AddressAnswer>;
  "customers.create": CustomerAnswer;
  "customers.get": CustomerAnswer;
  "customers.list": ListAnswer<CustomerAnswer>;
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
  "jobs.create": JobAnswer;
  "jobs.get": JobAnswer;
  "jobs.list": ListAnswer<JobAnswer>;
  "locations.create": NumberedAnswer;
  "locations.customer": CustomerAnswer;
  "locations.customers": ListAnswer<CustomerAnswer>;
  "locations.get": NumberedAnswer;
  "locations.jobs": ListAnswer<JobAnswer>;
  "locations.list": ListAnswer<NumberedAnswer>;
  "tenants.list": ListAnswer<NumberedAnswer>;
  "tokens.create": TokenAnswer;
  "tokens.list": ListAnswer<TokenAnswer>;
  "tokens.revoke": TokenAnswer;
  "trucks.create": NumberedAnswer;
  "trucks.get": NumberedAnswer;
  "trucks.list": ListAnswer<NumberedAnswer>;
  "trucks.update": NumberedAnswer;
  "users.create": UserAnswer;
  "users.list": ListAnswer<UserAnswer>;
}

/** The answer of an operation; one that is not listed above is plain fields. */
export type AnswerOf<Name extends OperationName> = Name extends keyof Answers ? Answers[Name] : Fields;
