/**
 * Valid request bodies, which a test changes in the fields that it tests. Each has its own number, so no two are
 * duplicates.
 */
export type Json = Record<string, unknown>;

let made = 0;

const nextNumber = () => {
  made += 1;
  return made;
};

/** CreateCustomerAddressModel with its required fields. */
export function anAddress(changes: Json = {}): Json {
  return {
    country: "US",
    is_billing: true,
    is_shipping: false,
    latitude: 38.867033,
    line_1: `${nextNumber()} T Street SE`,
    locality: "Washington",
    longitude: -76.979235,
    postcode: "20020",
    region: "DC",
    ...changes,
  };
}

/** CreateCustomerModel with its required fields: one address, no contacts. */
export function aCustomer(changes: Json = {}): Json {
  return { addresses: [anAddress()], contacts: [], name: `Customer ${nextNumber()}`, ...changes };
}

/** CreateTruckModel with its required field. */
export function aTruck(changes: Json = {}): Json {
  return { name: `Truck ${nextNumber()}`, ...changes };
}

/** CreateWebhookModel with its required fields. */
export function aHook(changes: Json = {}): Json {
  return { events: ["Job"], url: "https://example.com/hook", ...changes };
}

/** CreateUserModel with its required fields. */
export function aUser(changes: Json = {}): Json {
  return { roles: ["CrmUser"], username: `user-${nextNumber()}`, ...changes };
}

/** CreateHaulerRequestModel: all its fields are required. */
export function aHauler(changes: Json = {}): Json {
  const number = nextNumber();
  return {
    company_name: `Hauler ${number}`,
    password: "Secret1",
    recaptcha: "none-here",
    username: `office@hauler-${number}.example`,
    ...changes,
  };
}

/** A row of `haulers` with a given id. Operations generate their own. */
export function aHaulerRow(uuid: string) {
  const number = nextNumber();
  return {
    created_on: "2026-01-01T00:00:00.000000",
    name: `Hauler ${number}`,
    password_hash: "none",
    username: `office@hauler-${number}.example`,
    uuid,
  };
}

/** A row of `drivers`, which no operation creates yet. */
/** CreateDriverModel with its required field. */
export function aDriver(changes: Json = {}): Json {
  return { name: `Driver ${nextNumber()}`, ...changes };
}

/** CreateJobAssetTypeModel with its required field. */
export function anAssetType(changes: Json = {}): Json {
  return { name: `Type ${nextNumber()}`, ...changes };
}

/** A row of `drivers`, for tests whose caller may not create one. */
export function aDriverRow(tenantId: number, locationId: number) {
  return {
    is_deactivated: 0,
    location_id: locationId,
    name: `Driver ${nextNumber()}`,
    tenant_id: tenantId,
  };
}

/** CreateJobRequestBodyModel with its required fields, at a tenant's first customer. */
export function aJob(tenant: { addressId: number; customerId: number }, changes: Json = {}): Json {
  return { address_id: tenant.addressId, requested_by: tenant.customerId, type: "D", ...changes };
}
