import type { ColumnType, Generated } from "kysely";
import type { ApiVersion } from "../../models/api-versions.ts";
import type { Timestamp } from "../../runtime/clock.ts";

/** SQLite returns 0 or 1, so row mappers pass it through Boolean(). */
type BooleanColumn = ColumnType<boolean | number, boolean, boolean>;

type OptionalBooleanColumn = ColumnType<boolean | number, boolean | undefined, boolean>;

type Count = ColumnType<number, number | undefined, number>;

export type JsonText = string;

interface TenantTable {
  id: Generated<number>;
  name: string;
  address: string | null;
  city: string | null;
  code: string | null;
  created_on: Timestamp;
  /** The time when all rows of the tenant are deleted. */
  deletes_on: Timestamp | null;
  email: string | null;
  frozen_reason: string | null;
  is_active: BooleanColumn;
  /** The server that an operator moved the tenant to. */
  moved_to: string | null;
  paper: "letter" | "a4";
  phone: string | null;
  state: string | null;
  time_zone: string;
  truck_limit: number | null;
  zip: string | null;
}

/** The primary key of every table except tenants and meta begins with the tenant. */
interface Owned {
  tenant_id: ColumnType<number, number, never>;
}

interface Numbered extends Owned {
  id: Generated<number>;
}

interface UserTable extends Numbered {
  created_on: Timestamp;
  customer_ids: JsonText;
  driver_id: number | null;
  is_active: BooleanColumn;
  location_id: number | null;
  roles: JsonText;
  third_party_hauler_id: string | null;
  uid: string;
  username: string;
}

interface TokenTable extends Numbered {
  api_version: ApiVersion | null;
  /** The token that created or last replaced it; null for the command line. */
  created_by_token_id: number | null;
  created_on: Timestamp;
  expires_on: Timestamp | null;
  /** Created by its own person. Only such a token works in the person's other tenants. */
  is_personal: BooleanColumn;
  name: string | null;
  revoked_on: Timestamp | null;
  roles: JsonText;
  secret_hash: string;
  uid: string;
  username: string;
}

interface LocationTable extends Numbered {
  address: JsonText | null;
  clock: "12h" | "24h" | null;
  contact: JsonText | null;
  delivery_name: string;
  distance_label: string;
  driver_self_assignment: BooleanColumn;
  dropoff_name: string;
  exchange_name: string;
  is_active: BooleanColumn;
  name: string;
  pickup_name: string;
  require_reference_number: BooleanColumn;
  require_signature: BooleanColumn;
  service_name: string;
  time_zone: string | null;
  use_additional_items: BooleanColumn;
}

interface CustomerTable extends Numbered {
  created_on: Timestamp;
  last_updated_on: Timestamp;
  name: string;
  /** In one letter case, for the filter of lists. */
  name_folded: string;
  /** The form of the name for finding duplicates. */
  name_key: string;
  parent_id: number | null;
  /** Increases with each change of the customer or its parts. */
  revision: number;
}

interface CustomerLocationTable extends Owned {
  account_number_1: string | null;
  account_number_2: string | null;
  created_on: Timestamp;
  customer_id: number;
  is_active: BooleanColumn;
  is_commercial: BooleanColumn | null;
  last_updated_on: Timestamp;
  location_id: number;
  note: string | null;
  reference_number: string | null;
  renewal_date: Timestamp | null;
  sales_rep: string | null;
  sales_rep_id: string | null;
  suspension_id: number | null;
}

interface AddressTable extends Numbered {
  country: string;
  customer_id: number;
  is_active: BooleanColumn;
  is_billing: BooleanColumn;
  /** Many customers of this name existed, so searches find this address by its parts. */
  is_common: BooleanColumn;
  is_physical: BooleanColumn;
  is_shipping: BooleanColumn;
  latitude: number;
  line_1: string;
  line_2: string | null;
  line_3: string | null;
  line_4: string | null;
  locality: string;
  longitude: number;
  /** The form of the address for finding duplicates, and its number of code points. */
  match_key: string;
  match_length: number;
  /** The customer's key, so that one index finds similar addresses of one name. */
  name_key: string;
  postcode: string;
  region: string;
}

interface ContactTable extends Numbered {
  customer_id: number;
  email: string | null;
  fax: string | null;
  name: string | null;
  notify_on_acknowledged_request: BooleanColumn;
  notify_on_completed_request: BooleanColumn;
  notify_on_dispatched_request: BooleanColumn;
  notify_on_failed_request: BooleanColumn;
  notify_on_new_request: BooleanColumn;
  number: string | null;
}

interface AbsenceColumns {
  off_from: string | null;
  off_reason: string | null;
  off_until: string | null;
}

interface DriverTable extends AbsenceColumns, Numbered {
  address: string | null;
  can_assign_to: ColumnType<JsonText, JsonText | undefined, JsonText>;
  can_convert_to_group: OptionalBooleanColumn;
  can_create_requests: OptionalBooleanColumn;
  can_dispatch_to: ColumnType<JsonText, JsonText | undefined, JsonText>;
  can_edit_requests: OptionalBooleanColumn;
  can_reposition_asset: OptionalBooleanColumn;
  city: string | null;
  disable_shift_tracking: OptionalBooleanColumn;
  email: string | null;
  is_deactivated: BooleanColumn;
  license_number: string | null;
  location_id: number;
  name: string;
  phone_number: string | null;
  state: string | null;
  third_party_hauler_id: string | null;
  username: string | null;
  zip: string | null;
}

interface TruckTable extends AbsenceColumns, Numbered {
  driver_id: number | null;
  interface_color: string | null;
  location_id: number;
  name: string;
  notes: string | null;
  out_of_service: BooleanColumn;
  require_odometer: BooleanColumn;
  third_party_hauler_id: string | null;
  trailer_id: number | null;
  type: string | null;
  weight: number | null;
}

interface AssetTypeTable extends Numbered {
  deleted: BooleanColumn;
  is_default: BooleanColumn;
  location_id: number;
  name: string;
  quantity: number | null;
  require_numbers: BooleanColumn;
  weight: number | null;
}

interface AssetTable extends Numbered {
  asset_type_id: number | null;
  cluster: string | null;
  customer_id: number | null;
  description: string | null;
  dispatched_on: Timestamp | null;
  is_returned: BooleanColumn;
  last_activity_on: Timestamp | null;
  last_rental_invoice_on: Timestamp | null;
  latitude: number | null;
  location: JsonText | null;
  location_id: number;
  longitude: number | null;
  number: string | null;
  quantity: number | null;
  returned_on: Timestamp | null;
}

interface DumpDestinationTable extends Numbered {
  address: string | null;
  city: string | null;
  contact_email: string | null;
  contact_name: string | null;
  contact_phone: string | null;
  description: string | null;
  is_active: BooleanColumn;
  is_holding_yard: BooleanColumn;
  latitude: number | null;
  location_id: number;
  longitude: number | null;
  state: string | null;
  zip: string | null;
}

/** `record` holds the fields. Other columns are for filters, orders, and joins. */
interface JobTable extends Numbered {
  address_id: number;
  asset_dropped_id: number | null;
  asset_id: number | null;
  asset_type_id: number | null;
  changed_on: Timestamp;
  completed_by: number | null;
  completed_by_driver: BooleanColumn;
  created_by: number | null;
  created_on: Timestamp;
  customer_id: number;
  dump_location_id: number | null;
  final_location_id: number | null;
  image_count: Count;
  is_completed: BooleanColumn;
  is_declined: BooleanColumn;
  is_deleted: BooleanColumn;
  is_failed: BooleanColumn;
  last_updated_on: Timestamp;
  location_id: number;
  material_count: Count;
  /** The job whose completion created this pickup. */
  pickup_of: number | null;
  record: JsonText;
  return_count: Count;
  returned_by: number | null;
  returned_by_driver: BooleanColumn;
  /** schedule_date, or a text that sorts after every date. */
  schedule_key: string;
  start_location_id: number | null;
  third_party_hauler_id: string | null;
  truck_id: number | null;
  /** −priority, or a number that sorts after every priority. */
  urgency: number;
}

interface JobImageTable extends Numbered {
  created_by: number;
  created_on: Timestamp;
  description: string | null;
  job_id: number;
  url: string;
}

interface JobItemTable extends Numbered {
  created_by: number;
  created_on: Timestamp;
  deduct_weight: number;
  description: string;
  heavy_weight: number;
  is_completed: BooleanColumn;
  is_declined: BooleanColumn;
  is_failed: BooleanColumn;
  job_id: number;
  light_weight: number | null;
  material_item_id: number | null;
  notes: string | null;
  quantity: number | null;
}

interface JobMaterialTable extends Numbered {
  created_by: number;
  created_on: Timestamp;
  heavy_weight: number | null;
  job_id: number;
  light_weight: number | null;
  material_item_id: number | null;
  material_name: string | null;
  quantity: number | null;
  tare_weight: number | null;
}

interface JobReturnTable extends Numbered {
  asset_id: number | null;
  created_on: Timestamp;
  job_id: number;
  note: string | null;
}

interface MaterialTable extends Numbered {
  created_on: Timestamp;
  description: string | null;
  factor: number | null;
  group_description: string | null;
  line_item_id: number | null;
  location_id: number;
  unit_price: number | null;
  uom: string | null;
}

interface GpsEventTable extends Numbered {
  accuracy: number | null;
  altitude: number | null;
  bearing: number | null;
  created_on: Timestamp;
  device_name: string | null;
  driver_id: number | null;
  latitude: number | null;
  location_id: number;
  longitude: number | null;
  measured_on: Timestamp;
  truck_id: number | null;
  velocity: number | null;
}

/** A company that hauls for any number of tenants. */
interface HaulerTable {
  uuid: string;
  created_on: Timestamp;
  name: string;
  password_hash: string;
  username: string;
}

interface HaulerConnectionTable extends Numbered {
  approved_by: number | null;
  approved_on: Timestamp | null;
  denied_on: Timestamp | null;
  hauler_uuid: string;
  location_id: number | null;
  requested_by: number;
  requested_on: Timestamp;
}

interface ChatMessageTable extends Numbered {
  driver_id: number;
  is_edited: BooleanColumn;
  is_read: BooleanColumn;
  last_edited_on: Timestamp | null;
  receiver_id: number;
  receiver_type: string;
  sender_id: number;
  sender_type: string;
  sent_on: Timestamp;
  text: string;
}

interface DeliveryTable extends Numbered {
  action: string;
  attempt: number;
  created_on: Timestamp;
  event_id: number;
  finished_on: Timestamp | null;
  hook_id: number;
  is_replay: OptionalBooleanColumn;
  http_status: number | null;
  kind: string;
  leased_by: string | null;
  leased_until: Timestamp | null;
  message: string | null;
  /** null if no attempt follows, or while an earlier delivery is pending. During an attempt: the lease's end. */
  next_attempt_on: Timestamp | null;
  record_id: number;
  status: DeliveryStatus;
  uuid: string;
}

/** delivered: answered with 2xx. failed: out of attempts. cancelled: webhook deactivated, or discarded. */
export type DeliveryStatus = "pending" | "delivered" | "failed" | "cancelled";

interface DeliveryWorkerTable {
  beats: number;
  reaches_private: BooleanColumn;
  worker_id: string;
}

/** Bodies are cut to 16 KiB. Headers are JSON. */
interface DeliveryAttemptTable extends Numbered {
  attempt: number;
  delivery_id: number;
  duration_ms: number;
  http_status: number;
  message: string;
  request_body: string | null;
  request_headers: JsonText | null;
  response_body: string | null;
  response_headers: JsonText | null;
  started_on: Timestamp;
  url: string;
}

interface HookTable extends Numbered {
  api_version: ApiVersion;
  created_on: Timestamp;
  deleted_at: Timestamp | null;
  deleted_reason: string | null;
  description: string | null;
  /** Kinds, and actions like `Job:completed`. */
  events: JsonText;
  /** The first failure since the last success; null while deliveries succeed. */
  failing_since: Timestamp | null;
  /** JSON, possibly encrypted. */
  headers: string | null;
  /** Whether bodies show the previous values of changed fields. */
  include_previous: OptionalBooleanColumn;
  /** Whether bodies name the request that caused the event. */
  include_cause: OptionalBooleanColumn;
  last_http_fail: Timestamp | null;
  last_http_success: Timestamp | null;
  /** The secret before a rotation, which still signs until `old_secret_until`. */
  old_secret: string | null;
  old_secret_until: Timestamp | null;
  /** Epoch milliseconds: the rate limit has given away all slots before this time. */
  paced_until_ms: number | null;
  rate_limit: number | null;
  secret: string;
  url: string;
}

/** The outbox: written in the transaction of the change. */
interface EventTable extends Numbered {
  action: string;
  /** The request, as JSON; null for an event without a change. */
  cause: JsonText | null;
  created_on: Timestamp;
  data: JsonText;
  kind: string;
  previous: JsonText | null;
  record_id: number;
  trace_id: string | null;
  /** The causing span and its flags. */
  trace_span: string | null;
  trace_state: string | null;
  uuid: string;
}

interface AuditTable extends Numbered {
  action: string;
  after: JsonText | null;
  before: JsonText | null;
  created_on: Timestamp;
  operation: string;
  record_id: number;
  record_type: string;
  request_id: string;
  token_id: number | null;
  /** The trace of the request; null for changes without one. */
  trace_id: string | null;
  undone_on: ColumnType<Timestamp | null, Timestamp | null | undefined, Timestamp>;
  user_id: number;
}

interface UsageTable extends Owned {
  api_version: ApiVersion;
  operation: string;
  token_id: number;
  used_on: Timestamp;
}

interface IdempotencyKeyTable extends Owned {
  answer_body: string | null;
  answer_headers: JsonText | null;
  created_on: Timestamp;
  fingerprint: string;
  key: string;
  status: number;
  user_id: number;
}

interface RetentionTable extends Owned {
  applied_on: Timestamp | null;
  kept_for: string | null;
  kind: string;
  removed: Count;
  removed_on: Timestamp | null;
}

/** The progress of an erasure. It names the record and none of the erased data. */
interface ErasureTable extends Numbered {
  after_id: Count;
  /** The last attempt recorded before the erasure began. */
  attempts_after: Count;
  erased_on: Timestamp;
  finished_on: Timestamp | null;
  record_id: number;
  record_type: string;
  rows_changed: Count;
  step: Count;
  user_id: number;
}

/** SQLite only: the number of writes and rows of a tenant's table. Tenant 0 means all tenants. */
interface TableRevisionTable extends Owned {
  revision: number;
  row_count: number;
  table_name: string;
}

/** SQLite only: the number of a location's jobs with the same flags. `truck_id` is null without a truck. */
interface JobCountTable
  extends Owned,
    Pick<JobTable, "is_completed" | "is_deleted" | "is_failed" | "location_id" | "truck_id"> {
  row_count: number;
}

/** The search index: the records that contain a word. Triggers write it. */
interface SearchWordTable extends Owned {
  /** The number of the text in search/sources.ts. */
  field: number;
  record_id: number;
  row_id: number;
  word: string;
}

/** The parts of the index's words (search/sqlite-index.ts). */
interface SearchPartTable extends Owned {
  part: string;
  word: string;
}

interface MetaTable {
  key: string;
  value: string;
}

export interface Database {
  addresses: AddressTable;
  asset_types: AssetTypeTable;
  assets: AssetTable;
  audit: AuditTable;
  chat_messages: ChatMessageTable;
  contacts: ContactTable;
  customer_locations: CustomerLocationTable;
  customers: CustomerTable;
  deliveries: DeliveryTable;
  delivery_attempts: DeliveryAttemptTable;
  delivery_workers: DeliveryWorkerTable;
  drivers: DriverTable;
  dump_destinations: DumpDestinationTable;
  erasures: ErasureTable;
  events: EventTable;
  gps_events: GpsEventTable;
  hauler_connections: HaulerConnectionTable;
  haulers: HaulerTable;
  hooks: HookTable;
  idempotency_keys: IdempotencyKeyTable;
  job_counts: JobCountTable;
  job_images: JobImageTable;
  job_items: JobItemTable;
  job_materials: JobMaterialTable;
  job_returns: JobReturnTable;
  jobs: JobTable;
  locations: LocationTable;
  materials: MaterialTable;
  meta: MetaTable;
  retention: RetentionTable;
  search_parts: SearchPartTable;
  search_words: SearchWordTable;
  table_revisions: TableRevisionTable;
  tenants: TenantTable;
  tokens: TokenTable;
  trucks: TruckTable;
  usage: UsageTable;
  users: UserTable;
}

/** Triggers derive these rows, so copies omit them. */
type DerivedTable = "job_counts" | "search_parts" | "search_words" | "table_revisions";

export type OwnedTable = Exclude<
  keyof Database,
  DerivedTable | "delivery_workers" | "haulers" | "meta" | "tenants"
>;

export type NumberedTable = Exclude<
  OwnedTable,
  "customer_locations" | "idempotency_keys" | "retention" | "usage"
>;

export interface OwnedTableFacts {
  /** Callers with the whole tenant, of its location, or of its job. "rule": see access/narrow-to-scopes.ts. */
  seenBy: "tenant" | "location" | "job" | "rule";
  partOf?: keyof Database;
  /** The columns that order and identify rows. Default: id. */
  key?: readonly string[];
  parent?: string;
}

/** Ordered for copies: each table comes after the tables that it references. */
export const ownedTables = {
  users: { seenBy: "rule" },
  tokens: { seenBy: "tenant" },
  locations: { seenBy: "rule" },
  customers: { seenBy: "rule", parent: "parent_id" },
  customer_locations: { seenBy: "rule", key: ["location_id", "customer_id"] },
  addresses: { seenBy: "rule" },
  contacts: { seenBy: "rule" },
  drivers: { seenBy: "rule" },
  trucks: { seenBy: "rule" },
  asset_types: { seenBy: "location" },
  assets: { seenBy: "rule" },
  dump_destinations: { seenBy: "location" },
  materials: { seenBy: "location" },
  jobs: { seenBy: "rule", parent: "pickup_of" },
  job_images: { seenBy: "job", partOf: "jobs" },
  job_items: { seenBy: "job", partOf: "jobs" },
  job_materials: { seenBy: "job", partOf: "jobs" },
  job_returns: { seenBy: "job", partOf: "jobs" },
  gps_events: { seenBy: "location" },
  hauler_connections: { seenBy: "rule", partOf: "haulers" },
  chat_messages: { seenBy: "rule" },
  hooks: { seenBy: "tenant" },
  events: { seenBy: "tenant" },
  deliveries: { seenBy: "tenant" },
  delivery_attempts: { seenBy: "tenant", partOf: "deliveries" },
  audit: { seenBy: "tenant" },
  usage: { seenBy: "tenant", partOf: "tokens", key: ["token_id", "operation", "api_version"] },
  idempotency_keys: { seenBy: "tenant", partOf: "users", key: ["user_id", "key"] },
  retention: { seenBy: "tenant", partOf: "tenants", key: ["kind"] },
  erasures: { seenBy: "tenant", partOf: "tenants" },
} as const satisfies Record<OwnedTable, OwnedTableFacts>;

export type TableSeenBy<By extends OwnedTableFacts["seenBy"]> = {
  [T in OwnedTable]: (typeof ownedTables)[T]["seenBy"] extends By ? T : never;
}[OwnedTable];
