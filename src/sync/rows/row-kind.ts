import type * as z from "zod";
import type { Operation } from "../../core/operation.ts";
import { CreateCustomerAddressModel } from "../../models/address.ts";
import { apiVersions } from "../../models/api-versions.ts";
import { CreateCustomerContactModel } from "../../models/contact.ts";
import { DispatchCustomerLocationModel } from "../../models/customer.ts";
import { DriverModel } from "../../models/driver.ts";
import { JobModel } from "../../models/job.ts";
import { type AnswerModel, allOptional, defineModel, type Shape } from "../../models/model.ts";
import { TruckModel } from "../../models/truck.ts";
import { loadOperation, type OperationName } from "../../operations/index.ts";
import { fieldPathsOf } from "../../versions/field-paths.ts";

/** What can be imported. */
export const importNouns = ["customers", "jobs", "trucks", "drivers"] as const;
export type ImportNoun = (typeof importNouns)[number];

/** A field that a row may hold. */
export interface RowField {
  /** As its column is called: `name`, `line_1`, `contact_email`. */
  name: string;
  /** Where it belongs: to the record itself, or to its one address or contact. */
  group: "record" | "address" | "contact";
  /** Its name there. */
  inner: string;
  schema: z.ZodType;
}

/** A kind of record that can be imported: its operations, and what a row may say of it. */
export interface Importable {
  noun: ImportNoun;
  /** The records of a location. */
  list: Operation;
  create: Operation;
  /** What changes its own fields; what it can change otherwise, its planner knows. */
  update: Operation;
  /** Every other operation that its rows may need. */
  others: Readonly<Partial<Record<OperationName, Operation>>>;
  /** The model of an answer: the record as it is compared with. */
  answer: z.ZodObject<Shape>;
  /** The record's own fields, each of them optional. */
  model: z.ZodObject<Shape>;
  fields: readonly RowField[];
  /** What answers have and rows may repeat: set by the service. */
  passedOver: ReadonlySet<string>;
  /** The field that tells records apart. */
  key: string;
  /** Fields of which null says nothing: the service fills them, or no list shows them. */
  filled: ReadonlySet<string>;
  /** Fields that no list shows, and the operation that does. */
  hidden: { fields: readonly string[]; get: Operation } | null;
}

interface Facts {
  list: OperationName;
  create: OperationName;
  update: OperationName;
  lists: readonly OperationName[];
  others?: readonly OperationName[];
  answer: z.ZodObject<Shape>;
  key: string;
  filled?: readonly string[];
  /** Fields that can be sent, but follow from every change. */
  left?: readonly string[];
  hidden?: { fields: readonly string[]; get: OperationName };
}

const facts: Record<ImportNoun, Facts> = {
  customers: {
    list: "locations.customers",
    create: "customers.create",
    update: "customer-locations.update",
    lists: ["locations.customers", "customers.list"],
    others: ["customers.update", "addresses.add", "addresses.update", "contacts.add", "contacts.update"],
    answer: DispatchCustomerLocationModel,
    key: "reference_number",
  },
  jobs: {
    list: "locations.jobs",
    create: "jobs.create",
    update: "jobs.update",
    lists: ["locations.jobs"],
    answer: JobModel,
    key: "reference_number",
    filled: [
      "completed_by",
      "completed_on",
      "customer_id",
      "dispatched_on",
      "original_schedule_date",
      "requested_on",
      "third_party_hauler_id",
    ],
    left: ["last_updated_on"],
  },
  trucks: {
    list: "trucks.list",
    create: "trucks.create",
    update: "trucks.update",
    lists: ["trucks.list"],
    answer: TruckModel,
    key: "name",
  },
  drivers: {
    list: "drivers.list",
    create: "drivers.create",
    update: "drivers.update",
    lists: ["drivers.list"],
    answer: DriverModel,
    key: "name",
    hidden: { fields: ["can_assign_to", "can_dispatch_to"], get: "drivers.get" },
  },
};

/** The field that tells records of a kind apart, unless another is named. */
export function defaultKeyOf(noun: ImportNoun): string {
  return facts[noun].key;
}

/** Loads what there is to know of a kind of record. */
export async function loadImportable(noun: ImportNoun): Promise<Importable> {
  const { answer, filled = [], hidden, key, left = [], lists, others = [], ...names } = facts[noun];
  const [list, create, update] = await Promise.all(
    [names.list, names.create, names.update].map((name) => loadOperation(name)),
  );
  if (!list || !create?.body || !update?.body) throw new Error(`${noun} cannot be imported.`);
  const shape = { ...allOptional(create.body.shape), ...update.body.shape };
  for (const name of left) delete shape[name];
  return {
    noun,
    list,
    create,
    update,
    others: Object.fromEntries(
      await Promise.all(others.map(async (name) => [name, await loadOperation(name)] as const)),
    ),
    answer,
    model: defineModel("Row", shape),
    fields: [...toFields(shape, "record"), ...(noun === "customers" ? partFields : [])],
    passedOver: await findPassedOver(lists),
    key,
    // What a list does not show is null there.
    filled: new Set([...filled, ...(hidden?.fields ?? [])]),
    hidden: hidden ? { ...hidden, get: await loadOperation(hidden.get) } : null,
  };
}

/** A customer's row may hold one address and one contact in columns of their own. */
const partFields = [
  ...toFields(CreateCustomerAddressModel.shape, "address"),
  ...toFields(CreateCustomerContactModel.shape, "contact", "contact_"),
];

function toFields(shape: Shape, group: RowField["group"], prefix = ""): RowField[] {
  return Object.entries(shape).map(([inner, schema]) => ({ name: prefix + inner, group, inner, schema }));
}

/** Every field that an answer has or ever had. */
async function findPassedOver(lists: readonly OperationName[]): Promise<Set<string>> {
  const operations = await Promise.all(lists.map((name) => loadOperation(name)));
  return new Set(
    operations.flatMap(({ output }) =>
      apiVersions.flatMap((version) => fieldPathsOf(output as AnswerModel, version)),
    ),
  );
}
