import type { ColumnType, Generated } from "kysely";
import type { Timestamp } from "../clock.ts";

/** A truth value: SQLite reads it back as 0 or 1, so row mappers pass it through Boolean(). */
type Flag = ColumnType<boolean | number, boolean, boolean>;

/** JSON kept as its text. */
export type JsonText = string;

interface TenantTable {
  id: Generated<number>;
  name: string;
  address: string | null;
  city: string | null;
  code: string | null;
  created_on: Timestamp;
  email: string | null;
  is_active: Flag;
  paper: "letter" | "a4";
  phone: string | null;
  state: string | null;
  truck_limit: number | null;
  zip: string | null;
}

/** Every table but tenants and meta begins with the tenant. */
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
  is_active: Flag;
  location_id: number | null;
  roles: JsonText;
  third_party_hauler_id: string | null;
  /** The person; the same in every tenant the person works in. */
  uid: string;
  username: string;
}

interface TokenTable extends Numbered {
  api_version: string | null;
  created_on: Timestamp;
  expires_on: Timestamp | null;
  /** Made by its own person: only then does it reach the person's other tenants. */
  is_personal: Flag;
  name: string | null;
  revoked_on: Timestamp | null;
  roles: JsonText;
  /** SHA-256 of the secret, hex; the secret itself is kept nowhere. */
  secret_hash: string;
  uid: string;
  username: string;
}

interface LocationTable extends Numbered {
  address: JsonText | null;
  contact: JsonText | null;
  delivery_name: string;
  distance_label: string;
  driver_self_assignment: Flag;
  dropoff_name: string;
  exchange_name: string;
  is_active: Flag;
  name: string;
  pickup_name: string;
  require_reference_number: Flag;
  require_signature: Flag;
  service_name: string;
  use_additional_items: Flag;
}

interface CustomerTable extends Numbered {
  created_on: Timestamp;
  last_updated_on: Timestamp;
  name: string;
  /** The name in one letter case, for the list's filter (OP-34). */
  name_folded: string;
  /** The name as duplicates are searched by (OP-33). */
  name_key: string;
  parent_id: number | null;
  /** Grows with every change of the customer and of what hangs on it. */
  revision: number;
}

interface CustomerLocationTable extends Owned {
  account_number_1: string | null;
  account_number_2: string | null;
  created_on: Timestamp;
  customer_id: number;
  is_active: Flag;
  is_commercial: Flag | null;
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
  is_active: Flag;
  is_billing: Flag;
  is_physical: Flag;
  is_shipping: Flag;
  latitude: number;
  line_1: string;
  line_2: string | null;
  line_3: string | null;
  line_4: string | null;
  locality: string;
  longitude: number;
  /** The address as duplicates are searched by (OP-33). */
  match_key: string;
  postcode: string;
  region: string;
}

interface ContactTable extends Numbered {
  customer_id: number;
  email: string | null;
  fax: string | null;
  name: string | null;
  notify_on_acknowledged_request: Flag;
  notify_on_completed_request: Flag;
  notify_on_dispatched_request: Flag;
  notify_on_failed_request: Flag;
  notify_on_new_request: Flag;
  number: string | null;
}

interface DriverTable extends Numbered {
  is_deactivated: Flag;
  location_id: number;
  name: string;
  third_party_hauler_id: string | null;
  username: string | null;
}

interface TruckTable extends Numbered {
  driver_id: number | null;
  interface_color: string | null;
  location_id: number;
  name: string;
  notes: string | null;
  out_of_service: Flag;
  require_odometer: Flag;
  third_party_hauler_id: string | null;
  trailer_id: number | null;
  type: string | null;
  weight: number | null;
}

interface AssetTypeTable extends Numbered {
  deleted: Flag;
  is_default: Flag;
  location_id: number;
  name: string;
  quantity: number | null;
  require_numbers: Flag;
  weight: number | null;
}

interface AssetTable extends Numbered {
  asset_type_id: number | null;
  cluster: string | null;
  customer_id: number | null;
  description: string | null;
  dispatched_on: Timestamp | null;
  is_returned: Flag;
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
  is_active: Flag;
  is_holding_yard: Flag;
  latitude: number | null;
  location_id: number;
  longitude: number | null;
  state: string | null;
  zip: string | null;
}

/** A job's fields stand in `record`; the columns beside it are those that queries filter, sort or join by. */
interface JobTable extends Numbered {
  address_id: number;
  asset_dropped_id: number | null;
  asset_id: number | null;
  asset_type_id: number | null;
  completed_by: number | null;
  completed_by_driver: Flag;
  created_by: number | null;
  created_on: Timestamp;
  customer_id: number;
  dump_location_id: number | null;
  final_location_id: number | null;
  is_completed: Flag;
  is_declined: Flag;
  is_deleted: Flag;
  is_failed: Flag;
  last_updated_on: Timestamp;
  location_id: number;
  record: string;
  returned_by: number | null;
  returned_by_driver: Flag;
  /** schedule_date, or a text that sorts after every date (OP-51). */
  schedule_key: string;
  start_location_id: number | null;
  third_party_hauler_id: string | null;
  truck_id: number | null;
  /** −priority, or a number that sorts after every priority (OP-51). */
  urgency: number;
}

interface HookTable extends Numbered {
  api_version: string;
  created_on: Timestamp;
  deleted_at: Timestamp | null;
  events: JsonText;
  last_http_fail: Timestamp | null;
  last_http_success: Timestamp | null;
  secret: string;
  url: string;
}

/** The outbox: what happened, written in the transaction of the change (OP-76). */
interface EventTable extends Numbered {
  action: string;
  created_on: Timestamp;
  /** The record in the newest shape, as JSON. */
  data: JsonText;
  kind: string;
  record_id: number;
  uuid: string;
}

/** Who changed what: one row a change, in its transaction. */
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
  user_id: number;
}

interface MetaTable {
  key: string;
  value: string;
}

/** Every table with its columns, for Kysely. */
export interface Database {
  addresses: AddressTable;
  asset_types: AssetTypeTable;
  assets: AssetTable;
  audit: AuditTable;
  contacts: ContactTable;
  customer_locations: CustomerLocationTable;
  customers: CustomerTable;
  drivers: DriverTable;
  dump_destinations: DumpDestinationTable;
  events: EventTable;
  hooks: HookTable;
  jobs: JobTable;
  locations: LocationTable;
  meta: MetaTable;
  tenants: TenantTable;
  tokens: TokenTable;
  trucks: TruckTable;
  users: UserTable;
}

/** The tables whose rows belong to a tenant. */
export type OwnedTable = Exclude<keyof Database, "meta" | "tenants">;

/** The owned tables whose rows have an id of their own. */
export type NumberedTable = Exclude<OwnedTable, "customer_locations">;
