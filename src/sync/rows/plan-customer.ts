import type { Operation } from "../../core/operation.ts";
import type { Violation } from "../../errors/errors.ts";
import {
  CreateCustomerAddressModel,
  CustomerAddressModel,
  UpdateCustomerAddressModel,
} from "../../models/address.ts";
import {
  CreateCustomerContactModel,
  CustomerContactModel,
  UpdateCustomerContactModel,
} from "../../models/contact.ts";
import { parseModel } from "../../models/parse.ts";
import type { OperationName } from "../../operations/index.ts";
import type { JsonObject } from "../../versions/change.ts";
import { type Comparing, compareFields, plainNaming, toBody } from "./compare-fields.ts";
import { matchEntries } from "./match-entries.ts";
import {
  dropNull,
  type FieldChange,
  type PlannedCall,
  type PlanSetting,
  type RowPlan,
  split,
  toParams,
} from "./row-plan.ts";
import type { Draft } from "./to-draft.ts";

/**
 * What it takes to make a customer as a draft says (OP-30): name and parent, its record at the location, and its
 * addresses and contacts are changed by operations of their own. None of its addresses or contacts is ever removed.
 */
export function planCustomer(setting: PlanSetting, draft: Draft, record: JsonObject | null): RowPlan {
  return record ? planUpdate(setting, draft, record) : planCreate(setting, draft);
}

/** The lists of a customer, and how their entries are told apart. */
const parts = {
  address: {
    list: "addresses",
    identity: ["line_1", "postcode"],
    comparing: { model: UpdateCustomerAddressModel, answer: CustomerAddressModel },
    create: CreateCustomerAddressModel,
    add: "addresses.add",
    update: "addresses.update",
    ownId: "customer_address_id",
    prefix: "",
    // One that stands in columns of its own is both, unless they say otherwise.
    defaults: { is_billing: true, is_shipping: true },
  },
  contact: {
    list: "contacts",
    identity: ["name"],
    comparing: { model: UpdateCustomerContactModel, answer: CustomerContactModel },
    create: CreateCustomerContactModel,
    add: "contacts.add",
    update: "contacts.update",
    ownId: "customer_contact_id",
    prefix: "contact_",
    defaults: {},
  },
} as const satisfies Record<string, Part>;

interface Part {
  list: "addresses" | "contacts";
  identity: readonly string[];
  comparing: Comparing;
  create: Comparing["model"];
  add: OperationName;
  update: OperationName;
  ownId: string;
  prefix: string;
  defaults: JsonObject;
}

function planCreate({ importable, locationId, now }: PlanSetting, draft: Draft): RowPlan {
  const { addresses, contacts, is_active: isActive, ...own } = draft.record;
  const said = dropNull({
    ...own,
    addresses: draft.address
      ? [{ ...parts.address.defaults, ...dropNull(draft.address) }]
      : toEntries(addresses),
    contacts: draft.contact ? [dropNull(draft.contact)] : toEntries(contacts),
  });
  const { create, update } = importable;
  if (!create.body || !update.body) throw new Error("Customers are created and changed with a body.");
  const parsed = parseModel(create.body, said, now, plainNaming);
  const active = parseModel(update.body, dropNull({ is_active: isActive ?? null }), now, plainNaming);
  const violations = [
    ...parsed.violations.map((violation) => nameColumn(violation, draft)),
    ...active.violations,
  ];
  if (parsed.value === null || active.value === null) return { action: "reject", violations };
  const calls: PlannedCall[] = [
    {
      operation: create,
      params: () => toParams({ location_id: locationId }),
      body: parsed.value,
      needsRecord: false,
    },
  ];
  const isInactive = active.value.is_active === false;
  if (isInactive) calls.push(toSettingsCall(update, locationId, { is_active: false }, true));
  return { action: "create", body: { ...parsed.value, ...(isInactive && { is_active: false }) }, calls };
}

function planUpdate(setting: PlanSetting, draft: Draft, record: JsonObject): RowPlan {
  const { importable, locationId, now } = setting;
  const id = Number(record.id);
  const { addresses, contacts, ...said } = draft.record;
  const [whole, settings] = split(said, (name) => name === "name" || name === "parent_id");
  const ofCustomer = compareFields(importable, record, whole, now);
  const ofLocation = compareFields(importable, record, settings, now);
  const calls: PlannedCall[] = [];
  if (ofCustomer.changes.length > 0)
    calls.push({
      operation: operationOf(setting, "customers.update"),
      params: (customerId) => toParams({ customer_id: customerId }),
      body: toBody(ofCustomer.changes),
      needsRecord: false,
    });
  if (ofLocation.changes.length > 0)
    calls.push(toSettingsCall(importable.update, locationId, toBody(ofLocation.changes), false));
  const ofParts = [
    planPart(setting, parts.address, draft.address, addresses, record),
    planPart(setting, parts.contact, draft.contact, contacts, record),
  ];
  const compared = [ofCustomer, ofLocation, ...ofParts];
  const violations = compared.flatMap((one) => one.violations);
  if (violations.length > 0) return { action: "reject", violations };
  calls.push(...ofParts.flatMap((part) => part.calls));
  if (calls.length === 0) return { action: "same", id };
  return { action: "update", id, changes: compared.flatMap(({ changes }) => changes), calls };
}

interface PlannedPart {
  changes: FieldChange[];
  violations: Violation[];
  calls: PlannedCall[];
}

/** What becomes of the addresses, or the contacts; one in columns of its own, or those of a list. */
function planPart(
  setting: PlanSetting,
  part: Part,
  single: JsonObject | null,
  list: unknown,
  record: JsonObject,
): PlannedPart {
  const planned: PlannedPart = { changes: [], violations: [], calls: [] };
  if (!single && (list === undefined || list === null)) return planned;
  if (!single && !isListOfObjects(list)) return { ...planned, violations: [notAList(part.list)] };
  const entries = (record[part.list] as JsonObject[]).filter((entry) => entry.is_active !== false);
  const said = single ? [single] : toEntries(list, true);
  for (const [index, pair] of matchEntries(said, entries, part.identity).entries()) {
    const where = single ? part.prefix : `${part.list}[${index}].`;
    if (pair.entry) changeEntry(setting, part, where, pair.said, pair.entry, planned);
    else addEntry(setting, part, where, single ? { ...part.defaults, ...pair.said } : pair.said, planned);
  }
  return planned;
}

function changeEntry(
  setting: PlanSetting,
  part: Part,
  where: string,
  { id: _, ...said }: JsonObject,
  entry: JsonObject,
  planned: PlannedPart,
): void {
  const { changes, violations } = compareFields(part.comparing, entry, said, setting.now);
  planned.violations.push(...violations.map((violation) => renamed(violation, where)));
  if (changes.length === 0) return;
  planned.changes.push(...changes.map((change) => ({ ...change, field: where + change.field })));
  planned.calls.push({
    operation: operationOf(setting, part.update),
    params: (customerId) => toParams({ customer_id: customerId, [part.ownId]: Number(entry.id) }),
    body: toBody(changes),
    needsRecord: false,
  });
}

function addEntry(
  setting: PlanSetting,
  part: Part,
  where: string,
  { id: _, ...said }: JsonObject,
  planned: PlannedPart,
): void {
  const parsed = parseModel(part.create, dropNull(said), setting.now, plainNaming);
  planned.violations.push(...parsed.violations.map((violation) => renamed(violation, where)));
  if (parsed.value === null) return;
  planned.changes.push({ field: where.replace(/[._]$/, "") || "address", before: null, after: parsed.value });
  planned.calls.push({
    operation: operationOf(setting, part.add),
    params: (customerId) => toParams({ customer_id: customerId }),
    body: parsed.value,
    needsRecord: false,
  });
}

/** The entries of a list that count, without what the service sets of them; ids only where they help to find them. */
function toEntries(list: unknown, withIds = false): JsonObject[] {
  if (list === undefined || list === null) return [];
  // What is no list, or no list of objects, is for the model to refuse.
  if (!Array.isArray(list)) return list as JsonObject[];
  return list
    .filter((entry) => entry?.is_active !== false)
    .map((entry) => {
      if (typeof entry !== "object" || entry === null) return entry;
      const { id, is_active: _, is_physical: __, ...own } = entry as JsonObject;
      return withIds && id !== undefined ? { ...own, id } : own;
    });
}

function toSettingsCall(
  operation: Operation,
  locationId: number,
  body: JsonObject,
  needsRecord: boolean,
): PlannedCall {
  const params = (id: number) => toParams({ customer_id: id, customer_location_id: locationId });
  return { operation, params, body, needsRecord };
}

function operationOf({ importable }: PlanSetting, name: OperationName): Operation {
  const operation = importable.others[name];
  if (!operation) throw new Error(`${name} is not loaded.`);
  return operation;
}

/** Of an address or contact in columns of its own the column is named, not its place in a list. */
function nameColumn(violation: Violation, { address, contact }: Draft): Violation {
  const rename = (text: string) => {
    const named = address ? text.replaceAll("addresses[0].", "") : text;
    return contact ? named.replaceAll("contacts[0].", "contact_") : named;
  };
  return {
    ...violation,
    detail: rename(violation.detail),
    field: violation.field && rename(violation.field),
  };
}

function renamed({ code, detail, field }: Violation, where: string): Violation {
  return { code, detail: where + detail, field: field && where + field };
}

function isListOfObjects(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === "object" && entry !== null);
}

function notAList(field: string): Violation {
  return { code: "wrong_type", detail: `${field} must be a list of objects.`, field };
}
