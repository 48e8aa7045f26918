import type { Context } from "../../core/context.ts";
import type { OperationCure } from "../../errors/cure.ts";
import { failure } from "../../errors/errors.ts";
import type { User } from "../../models/user.ts";
import type { Reference, SentReference } from "../records.ts";

type Bindings = {
  [Name in "customer_ids" | "driver_id" | "location_id"]?: User[Name] | null | undefined;
};

/** The ids of a user's body that must belong to records of the tenant (OP-23); `before` is the user that is changed. */
export function toUserReferences(
  model: string,
  locationId: number,
  body: Bindings,
  before: Bindings = {},
): SentReference[] {
  const toReference = (name: string, table: Reference["table"], noun: string, listedBy: OperationCure) => ({
    field: `${model}.${name}`,
    table,
    noun,
    listedBy,
  });
  return [
    [
      toReference("location_id", "locations", "location", { operation: "locations.list" }),
      body.location_id,
      before.location_id,
    ],
    [
      toReference("driver_id", "drivers", "driver", {
        operation: "drivers.list",
        params: { location_id: locationId },
      }),
      body.driver_id,
      before.driver_id,
    ],
    ...(body.customer_ids ?? []).map(
      (id, index): SentReference => [
        toReference(`customer_ids[${index}]`, "customers", "customer", { operation: "customers.list" }),
        id,
        before.customer_ids?.find((known) => known === id),
      ],
    ),
  ];
}

/**
 * Lets a caller who is bound to a location make users of that location only, without a hauler or customers, whose
 * records reach beyond it (OP-53). `before` is the user as it was: the bindings that it has already may stay.
 */
export function requireOwnBinding(
  { actor }: Context,
  model: string,
  after: Pick<User, "customer_ids" | "location_id" | "third_party_hauler_id">,
  before?: Pick<User, "customer_ids" | "third_party_hauler_id">,
): void {
  const own = actor.scope.rowScopes.flatMap((rows) => (rows.kind === "location" ? [rows.locationId] : []));
  if (own.length === 0) return;
  if (!own.some((id) => id === after.location_id)) {
    const field = `${model}.location_id`;
    const detail = `The caller is bound to location ${own[0]}, so the user must be too: ${field}.`;
    throw failure("role_not_allowed", detail, field);
  }
  const haulerId = after.third_party_hauler_id;
  if (haulerId !== null && haulerId !== before?.third_party_hauler_id) {
    const field = `${model}.third_party_hauler_id`;
    const detail = `The caller is bound to location ${own[0]}; a hauler's jobs are not: ${field}.`;
    throw failure("role_not_allowed", detail, field);
  }
  if (after.customer_ids.some((id) => !before?.customer_ids.includes(id))) {
    const field = `${model}.customer_ids`;
    const detail = `The caller is bound to location ${own[0]}; a customer may be at others too: ${field}.`;
    throw failure("role_not_allowed", detail, field);
  }
}

/** A name belongs to one user of the tenant. */
export async function requireFreeUsername(
  { store }: Context,
  model: string,
  username: string,
  ownId: number | null = null,
): Promise<void> {
  const known = await store.users.findByUsername(username);
  if (!known || known.id === ownId) return;
  // The caller may not see that user, so the message says only that the name is taken.
  const isSeen = (await store.references.find("users", known.id)) !== undefined;
  throw failure(
    "duplicate_record",
    `The user ${username} exists already${isSeen ? `, with id ${known.id}` : ""}; choose another name.`,
    `${model}.username`,
  );
}
