import { expect, it } from "vitest";
import { aCustomer, anAddress } from "../../support/builders.ts";
import { toViolations } from "../../support/describe-input.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";
import { testStart } from "../../support/test-clock.ts";

const emptyContact = {
  email: null,
  fax: null,
  id: expect.any(Number),
  name: null,
  notify_on_acknowledged_request: false,
  notify_on_completed_request: false,
  notify_on_dispatched_request: false,
  notify_on_failed_request: false,
  notify_on_new_request: false,
  number: null,
};

describeOnEveryTarget("customers.create", (harness) => {
  const atYard = () => ({ location_id: harness.acme.locationId });
  const create = (body: unknown) => harness.ok("customers.create", { params: atYard(), body });
  const send = (body: unknown) => harness.call("customers.create", { params: atYard(), body });

  it("returns every field of the new customer; missing fields are null, and an empty contact is created", async () => {
    const address = anAddress();
    expect(await create({ addresses: [address], contacts: [], name: "Pier 7" })).toEqual({
      account_number_1: null,
      account_number_2: null,
      addresses: [
        {
          ...address,
          id: expect.any(Number),
          is_active: true,
          is_physical: true,
          line_2: null,
          line_3: null,
          line_4: null,
        },
      ],
      contacts: [emptyContact],
      created_on: testStart,
      id: expect.any(Number),
      is_active: true,
      is_commercial: null,
      last_updated_on: testStart,
      location_id: harness.acme.locationId,
      name: "Pier 7",
      note: null,
      parent_id: null,
      reference_number: null,
      renewal_date: null,
      sales_rep: null,
      sales_rep_id: null,
      suspension_id: null,
    });
  });

  it("returns all sent values, with addresses and contacts in the sent order", async () => {
    const addresses = [
      anAddress({ line_2: "Suite 4", line_3: "", line_4: "King County" }),
      anAddress({ country: "DE", is_billing: 0, is_shipping: "TRUE" }),
    ];
    const contacts = [
      { email: "dana@example.com", fax: "5550100", name: "Dana", number: "555-0100" },
      { name: "Kim", notify_on_new_request: 1, notify_on_failed_request: "True" },
    ];
    const own = {
      account_number_1: "A-1",
      account_number_2: "",
      is_commercial: false,
      name: "Żółć & Söhne 😀",
      note: "Gate code 12#\nRing twice.",
      parent_id: harness.acme.customerId,
      reference_number: "PO 7",
      sales_rep: "Robin",
      sales_rep_id: "42",
      suspension_id: -3,
    };
    const customer = await create({ ...own, addresses, contacts, renewal_date: "2027-01-31" });
    expect(customer).toMatchObject({ ...own, renewal_date: "2027-01-31T00:00:00.000000" });
    expect(customer.addresses).toEqual([
      { ...addresses[0], id: expect.any(Number), is_active: true, is_physical: true },
      {
        ...addresses[1],
        id: expect.any(Number),
        is_active: true,
        is_billing: false,
        is_physical: true,
        is_shipping: true,
        line_2: null,
        line_3: null,
        line_4: null,
      },
    ]);
    expect(customer.contacts).toEqual([
      { ...emptyContact, ...contacts[0] },
      { ...emptyContact, name: "Kim", notify_on_failed_request: true, notify_on_new_request: true },
    ]);
  });

  it("creates no address when none is sent", async () => {
    expect((await create(aCustomer({ addresses: [] }))).addresses).toEqual([]);
  });

  it("reports all violations of the query and the body at once, at every depth", async () => {
    const body = {
      addresses: [anAddress(), { ...anAddress({ country: "usa", latitude: 91 }), id: 1 }],
      contacts: [{ fax: "1", notify_on_new_request: "perhaps" }],
      is_active: true,
      renewal_date: "soon",
      note: 7,
    };
    const query = { colour: "red", max_address_edit_distance: 1000 };
    const answer = await harness.call("customers.create", { params: { location_id: "x" }, query, body });
    const [status, ...violations] = toViolations(answer) as [number, ...string[][]];
    expect(status).toBe(400);
    expect(new Set(violations)).toEqual(
      new Set([
        ["wrong_type", "location_id"],
        ["too_big", "max_address_edit_distance"],
        ["unknown_parameter", "colour"],
        ["invalid_format", "CreateCustomerModel.addresses[1].country"],
        ["too_big", "CreateCustomerModel.addresses[1].latitude"],
        ["unknown_field", "CreateCustomerModel.addresses[1].id"],
        ["too_short", "CreateCustomerModel.contacts[0].fax"],
        ["wrong_type", "CreateCustomerModel.contacts[0].notify_on_new_request"],
        ["unknown_field", "CreateCustomerModel.is_active"],
        ["invalid_date", "CreateCustomerModel.renewal_date"],
        ["wrong_type", "CreateCustomerModel.note"],
        ["missing_value", "CreateCustomerModel.name"],
      ]),
    );
    expect(violations).toHaveLength(12);
  });

  it.each(["addresses", "contacts"])("accepts a list of objects only as %s", async (name) => {
    const field = `CreateCustomerModel.${name}`;
    for (const value of [null, undefined]) {
      expect(toViolations(await send(aCustomer({ [name]: value })))).toEqual([400, ["missing_value", field]]);
    }
    for (const value of [{}, "[]", 0, true]) {
      expect(toViolations(await send(aCustomer({ [name]: value })))).toEqual([400, ["wrong_type", field]]);
    }
    for (const entry of ["x", 1, []]) {
      const answer = await send(aCustomer({ [name]: [entry] }));
      expect(toViolations(answer)).toEqual([400, ["wrong_type", `${field}[0]`]]);
    }
    expect(toViolations(await send(aCustomer({ [name]: [null] })))).toEqual([
      400,
      ["missing_value", `${field}[0]`],
    ]);
  });

  it("accepts only a parent of the same tenant, and stores nothing otherwise", async () => {
    const before = harness.store.contents();
    for (const parent_id of [999_999, harness.globex.customerId]) {
      const answer = await send(aCustomer({ parent_id }));
      expect(toViolations(answer)).toEqual([400, ["unknown_reference", "CreateCustomerModel.parent_id"]]);
    }
    expect(harness.store.contents()).toEqual(before);
  });
});
