import { expect, it } from "vitest";
import { CreateCustomerContactModel, UpdateCustomerContactModel } from "../../../src/models/contact.ts";
import { CreateDriverModel } from "../../../src/models/driver.ts";
import { CreateTokenModel, CreateUserModel } from "../../../src/models/user.ts";
import { anAddress } from "../../support/builders.ts";
import { createHook, startTestWorker } from "../../support/delivering.ts";
import type { Harness } from "../../support/harness.ts";
import { findMarks, findMarksInFile, toMarked } from "../../support/marks.ts";
import { startReceiver } from "../../support/receiver.ts";
import { describeInProcess, freshHarness } from "../../support/targets.ts";

/** Stores the answer of a request with an idempotency key, which the service keeps for a day. */
const keepAnswer = ({ acme, clock, store }: Harness, text: string) =>
  store.insert("idempotency_keys", {
    answer_body: JSON.stringify({ text }),
    answer_headers: "{}",
    created_on: clock.now(),
    fingerprint: "f",
    key: "k",
    status: 200,
    tenant_id: acme.tenantId,
    user_id: 1,
  });

/** Creates a driver and its user, with marks in all texts. */
async function createPerson(harness: Harness, marks: string[]) {
  const params = { location_id: harness.acme.locationId };
  const driver = await harness.ok("drivers.create", {
    params,
    body: toMarked(CreateDriverModel, marks, {
      email: "zebra-driver@example.com, zebra-second@example.com",
    }),
  });
  marks.push("zebra-driver@", "zebra-second@");
  const user = toMarked(CreateUserModel, marks, { driver_id: driver.id, roles: ["Dispatcher", "Driver"] });
  const caller = await harness.addCaller(
    user,
    toMarked(CreateTokenModel, marks, { username: user.username }),
  );
  return { caller, driver, params };
}

describeInProcess("erasing people", (like) => {
  it("removes all text, places and messages of a user and its driver, and keeps ids and counts", async () => {
    const harness = await freshHarness(like);
    const marks: string[] = [];
    const { caller, driver, params } = await createPerson(harness, marks);
    const { truckId } = harness.acme;
    await harness.ok("trucks.update", {
      params: { ...params, truck_id: truckId },
      body: { driver_id: driver.id },
    });
    const coords = {
      accuracy: 7.4306591,
      altitude: 7.4306592,
      latitude: 38.8675309,
      longitude: -76.9786543,
      speed: 7.4306593,
    };
    marks.push("7.4306591", "7.4306592", "7.4306593", "8675309", "9786543");
    const timestamp = "2026-11-21T11:59:00Z";
    const place = await harness.ok("gps.record", {
      as: caller,
      params,
      body: { location: { coords, timestamp } },
    });
    harness.store.update("gps_events", place.id, { device_name: "zebra-phone" });
    const talk = { driver_id: driver.id };
    const told = await harness.ok("chats.send", {
      params: talk,
      body: { receiver: { id: driver.id, type: "driver" }, text: "zebra-told" },
    });
    const other = { driver_id: harness.acme.driverId };
    await harness.ok("chats.send", {
      as: caller,
      params: other,
      body: { receiver: { id: other.driver_id, type: "driver" }, text: "zebra-wrote" },
    });
    const kept = await harness.ok("chats.send", {
      params: other,
      body: { receiver: { id: other.driver_id, type: "driver" }, text: "Stays said" },
    });
    await harness.ok("chats.edit", {
      params: { ...talk, driver_chat_msg_id: told.id },
      body: { text: "zebra-edited" },
    });
    const user_id = caller.user.id;
    await harness.ok("users.update", {
      as: "Admin",
      params: { ...params, user_id },
      body: { username: "zebra-renamed" },
    });
    await harness.ok("drivers.update", { params: { ...params, ...talk }, body: { city: "zebra-city" } });
    keepAnswer(harness, "zebra-answer");
    marks.push(
      "zebra-phone",
      "zebra-told",
      "zebra-wrote",
      "zebra-edited",
      "zebra-renamed",
      "zebra-city",
      "zebra-answer",
    );
    expect(findMarks(harness, marks)).toEqual(marks);

    const before = harness.store.rowCounts();
    const erased = await harness.ok("users.erase", { as: "Admin", params: { ...params, user_id } });
    expect(erased).toMatchObject({ drivers: 1, record_id: user_id, tokens: 1 });
    expect(erased.finished_on).not.toBeNull();
    expect(findMarks(harness, marks)).toEqual([]);
    const after = harness.store.rowCounts();
    for (const table of ["chat_messages", "drivers", "gps_events", "tokens", "users"] as const)
      expect([table, after[table]]).toEqual([table, before[table]]);
    const { results } = await harness.ok("chats.list", { params: other });
    expect(results.find(({ id }) => id === kept.id)?.text).toBe("Stays said");
    expect((await harness.call("trucks.list", { as: caller, params })).status).toBe(401);
    const { id: audit_id } = await harness.ok("audit.last", { as: "Admin" });
    expect((await harness.call("audit.undo", { as: "Admin", params: { audit_id } })).status).toBe(409);
    expect(await findMarksInFile(harness, marks)).toEqual([]);
  });

  it("removes all text of a contact, and keeps the text of the customer and its other contacts", async () => {
    const harness = await freshHarness(like);
    const marks: string[] = [];
    const { locationId: location_id } = harness.acme;
    await createHook(harness, (await startReceiver()).url);
    const customer = await harness.ok("customers.create", {
      params: { location_id },
      body: {
        addresses: [anAddress()],
        contacts: [toMarked(CreateCustomerContactModel, marks, {}), { name: "Stays Here" }],
        name: "Stays Roofing",
      },
    });
    const customer_id = customer.id;
    const id = customer.contacts.find(({ name }) => name !== "Stays Here")?.id ?? 0;
    const [{ id: address_id } = { id: 0 }] = customer.addresses;
    await harness.ok("jobs.create", {
      params: { location_id },
      body: { address_id, requested_by: customer_id, type: "D" },
    });
    const params = { customer_contact_id: id, customer_id };
    await harness.ok("contacts.update", { params, body: toMarked(UpdateCustomerContactModel, marks, {}) });
    keepAnswer(harness, "zebra-answer");
    marks.push("zebra-answer");
    const worker = startTestWorker(harness);
    await worker.drain();
    await worker.stop(0);
    expect(findMarks(harness, marks)).toEqual(marks);

    const erased = await harness.ok("contacts.erase", { as: "Admin", params });
    expect(erased).toMatchObject({ contacts: 1, record_id: id });
    expect(erased.finished_on).not.toBeNull();
    expect(findMarks(harness, marks)).toEqual([]);
    const left = await harness.ok("customers.get", { params: { customer_id } });
    expect([left.name, left.contacts.map(({ name }) => name)]).toEqual([
      "Stays Roofing",
      expect.arrayContaining(["Stays Here", null]),
    ]);
    const { results } = await harness.ok("events.list", { query: { record: `Customer:${customer_id}` } });
    expect(JSON.stringify(results)).toContain("Stays Here");
    expect(await findMarksInFile(harness, marks)).toEqual([]);
  });
});
