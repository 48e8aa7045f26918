import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { aDriverRow, type Json } from "../../support/builders.ts";
import { describeFields } from "../../support/describe-fields.ts";
import { describePaging, toViolations } from "../../support/describe-input.ts";
import * as takes from "../../support/field-cases.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";
import type { Caller } from "../../support/tenants.ts";
import { testStart } from "../../support/test-clock.ts";

const model = "CreateDriverChatMessageModel";

describeOnEveryTarget("chats", (harness) => {
  let otherDriverId: number;
  const atDriver = () => ({ driver_id: harness.acme.driverId });
  const toDriver = () => ({ id: harness.acme.driverId, type: "driver" });
  const toDispatcher = () => ({ id: harness.acme.callers.Dispatcher.user.id, type: "dispatcher" });
  const fromDispatcher = (changes: Json = {}): Json => ({ receiver: toDriver(), text: "Hello", ...changes });
  const fromDriver = (changes: Json = {}): Json => ({ receiver: toDispatcher(), text: "Hi", ...changes });
  const send = (body: unknown) => harness.call("chats.send", { params: atDriver(), body });
  const auditRows = () =>
    harness.store.rows("audit").filter(({ record_type }) => record_type === "ChatMessage");

  beforeAll(() => {
    const { locationId, tenantId } = harness.acme;
    otherDriverId = harness.store.insert("drivers", aDriverRow(tenantId, locationId));
  });

  describe("send", () => {
    it("carries messages from a dispatcher to the driver, and from the driver to a dispatcher", async () => {
      const down = await harness.ok("chats.send", { params: atDriver(), body: fromDispatcher() });
      expect(down).toEqual({
        id: expect.any(Number),
        is_edited: false,
        is_read: false,
        last_edited_on: null,
        receiver: toDriver(),
        sender: toDispatcher(),
        sent_on: testStart,
        text: "Hello",
      });
      expect(auditRows().at(-1)).toMatchObject({ action: "created", record_id: down.id });
      const up = await harness.ok("chats.send", { as: "Driver", params: atDriver(), body: fromDriver() });
      expect(up).toMatchObject({ receiver: toDispatcher(), sender: toDriver(), text: "Hi" });
    });

    it("accepts an Admin as a dispatcher", async () => {
      const { Admin } = harness.acme.callers;
      const sent = await harness.ok("chats.send", {
        as: "Admin",
        params: atDriver(),
        body: fromDispatcher(),
      });
      expect(sent.sender).toEqual({ id: Admin.user.id, type: "dispatcher" });
      const receiver = { id: Admin.user.id, type: "dispatcher" };
      expect(
        (
          await harness.call("chats.send", {
            as: "Driver",
            params: atDriver(),
            body: fromDriver({ receiver }),
          })
        ).status,
      ).toBe(200);
    });

    it("refuses a receiver on the same side as the caller, and stores nothing", async () => {
      const before = harness.store.contents();
      const toOwnSide = [
        await send(fromDispatcher({ receiver: toDispatcher() })),
        await harness.call("chats.send", {
          as: "Driver",
          params: atDriver(),
          body: fromDriver({ receiver: toDriver() }),
        }),
      ];
      for (const answer of toOwnSide)
        expect(toViolations(answer)).toEqual([400, ["invalid_choice", `${model}.receiver.type`]]);
      expect(harness.store.contents()).toEqual(before);
    });

    it("refuses a receiver outside the conversation, and stores nothing", async () => {
      const { callers } = harness.acme;
      const inactive = await harness.addCaller({ roles: ["Dispatcher"] });
      harness.store.update("users", inactive.user.id, { is_active: 0 });
      const yard = await harness.ok("locations.create", { as: "Admin", body: { name: "Far yard" } });
      const elsewhere = await harness.addCaller({ location_id: yard.id, roles: ["Dispatcher"] });
      const users = [
        callers.CrmUser,
        callers.ThirdPartyDispatcher,
        harness.globex.caller,
        inactive,
        elsewhere,
      ];
      const before = harness.store.contents();
      const answers = [await send(fromDispatcher({ receiver: { id: otherDriverId, type: "driver" } }))];
      for (const id of [...users.map(({ user }) => user.id), 999_999]) {
        const body = fromDriver({ receiver: { id, type: "dispatcher" } });
        answers.push(await harness.call("chats.send", { as: "Driver", params: atDriver(), body }));
      }
      for (const answer of answers)
        expect(toViolations(answer)).toEqual([400, ["unknown_reference", `${model}.receiver.id`]]);
      expect(harness.store.contents()).toEqual(before);
    });

    it("lets a user who is driver and dispatcher write as either, depending on the receiver", async () => {
      const as = await harness.addCaller({ driver_id: otherDriverId, roles: ["Dispatcher", "Driver"] });
      const params = { driver_id: otherDriverId };
      const own = { id: otherDriverId, type: "driver" };
      const down = await harness.ok("chats.send", {
        as,
        params,
        body: { receiver: own, text: "to the driver" },
      });
      expect(down.sender).toEqual({ id: as.user.id, type: "dispatcher" });
      const up = await harness.ok("chats.send", { as, params, body: fromDriver() });
      expect(up.sender).toEqual(own);
    });

    describeFields(harness, {
      model,
      fields: { text: takes.required(takes.text(1, 2048)) },
      send: (changes) => send(fromDispatcher(changes)),
    });
    describeFields(harness, {
      model: `${model}.receiver`,
      fields: {
        id: takes.required(takes.id),
        type: {
          ...takes.required(takes.choice(["driver", "dispatcher"], ["Driver", "user", ""])),
          taken: [],
        },
      },
      send: (changes) => send(fromDispatcher({ receiver: { ...toDriver(), ...changes } })),
    });
  });

  describe("a conversation", () => {
    it("answers 404 to users who may not see its driver, the same as for a missing driver", async () => {
      const yard = await harness.ok("locations.create", { as: "Admin", body: { name: "North yard" } });
      const north = await harness.addCaller({ location_id: yard.id, roles: ["Dispatcher"] });
      const unbound = await harness.addCaller({ roles: ["Driver"] });
      const desk = await harness.addCaller({ driver_id: otherDriverId, roles: ["CrmUser", "Driver"] });
      const attempts: [Caller | "Driver" | "Dispatcher", number][] = [
        ["Driver", otherDriverId],
        [north, harness.acme.driverId],
        [unbound, harness.acme.driverId],
        [desk, harness.acme.driverId],
        ["Dispatcher", harness.globex.driverId],
        ["Dispatcher", 999_999],
      ];
      const { id } = await harness.ok("chats.send", { params: atDriver(), body: fromDispatcher() });
      for (const [as, driver_id] of attempts) {
        const params = { driver_id };
        const answers = [
          await harness.call("chats.list", { as, params }),
          await harness.call("chats.recipients", { as, params }),
          await harness.call("chats.send", { as, params, body: fromDispatcher() }),
          await harness.call("chats.edit", { as, params: { ...params, driver_chat_msg_id: id }, body: {} }),
        ];
        for (const answer of answers) {
          expect(answer).toMatchObject({ body: { detail: `There is no driver ${driver_id}.` }, status: 404 });
        }
      }
    });
  });

  describe("list", () => {
    const list = (query: Record<string, string>) => harness.call("chats.list", { params: atDriver(), query });
    const texts = async (query: Record<string, string>, as: "Driver" | "Dispatcher" = "Dispatcher") =>
      (await harness.ok("chats.list", { as, params: atDriver(), query })).results.map(({ text }) => text);

    it("shows the messages of the driver to both sides, in the sent order", async () => {
      const one = await harness.ok("chats.send", { params: atDriver(), body: fromDispatcher({ text: "1" }) });
      const two = await harness.ok("chats.send", { as: "Driver", params: atDriver(), body: fromDriver() });
      for (const as of ["Dispatcher", "Driver", "Admin"] as const) {
        const { results } = await harness.ok("chats.list", { as, params: atDriver() });
        expect(results.slice(-2)).toEqual([one, two]);
      }
      const { results } = await harness.ok("chats.list", { params: { driver_id: otherDriverId } });
      expect(results).not.toContainEqual(one);
    });

    it("keeps messages from start_date on and before end_date", async () => {
      harness.clock.set("2027-01-01T00:00:00.000000");
      await send(fromDispatcher({ text: "first" }));
      harness.clock.set("2027-01-02T00:00:00.000000");
      await send(fromDispatcher({ text: "second" }));
      harness.clock.set(testStart);
      expect(await texts({ start_date: "2027-01-01" })).toEqual(["first", "second"]);
      expect(await texts({ start_date: "2027-01-01T00:00:00.000001" })).toEqual(["second"]);
      expect(await texts({ start_date: "2027-01-01", end_date: "2027-01-02" })).toEqual(["first"]);
      expect(await texts({ start_date: "2027-01-01", end_date: "2027-01-02T00:00:00.000001" })).toHaveLength(
        2,
      );
    });

    it("filters by read and unread", async () => {
      const { id } = await harness.ok("chats.send", {
        params: atDriver(),
        body: fromDispatcher({ text: "read me" }),
      });
      const params = { ...atDriver(), driver_chat_msg_id: id };
      await harness.ok("chats.edit", { as: "Driver", params, body: { is_read: true } });
      expect(await texts({ is_read: "true" })).toContain("read me");
      expect(await texts({ is_read: "false" })).not.toContain("read me");
    });
    describePaging(list);
  });

  describe("edit", () => {
    let id: number;
    const edit = (as: "Driver" | "Dispatcher" | "Admin", body: unknown) =>
      harness.call("chats.edit", { as, params: { ...atDriver(), driver_chat_msg_id: id }, body });

    beforeEach(async () => {
      id = (await harness.ok("chats.send", { params: atDriver(), body: fromDispatcher() })).id;
    });

    it("lets the sender change the text, and marks the message as edited", async () => {
      const changed = { is_edited: true, is_read: false, last_edited_on: testStart, text: "Gate 4" };
      expect(await edit("Dispatcher", { text: "Gate 4" })).toMatchObject({ body: changed, status: 200 });
      expect(auditRows().at(-1)).toMatchObject({ action: "updated", record_id: id });
    });

    it("lets the receiver mark it as read or unread, which does not count as an edit", async () => {
      for (const is_read of [true, false]) {
        expect(await edit("Driver", { is_read })).toMatchObject({
          body: { is_edited: false, is_read, last_edited_on: null },
          status: 200,
        });
      }
    });

    it("refuses both changes to other users (403), naming the field, and changes nothing", async () => {
      const before = harness.store.contents();
      const read = ["role_not_allowed", "UpdateDriverChatMessageModel.is_read"];
      const text = ["role_not_allowed", "UpdateDriverChatMessageModel.text"];
      expect(toViolations(await edit("Driver", { text: "mine" }))).toEqual([403, text]);
      expect(toViolations(await edit("Dispatcher", { is_read: true }))).toEqual([403, read]);
      expect(toViolations(await edit("Dispatcher", { is_read: true, text: "x" }))).toEqual([403, read]);
      expect(toViolations(await edit("Admin", { is_read: true, text: "x" }))).toEqual([403, read, text]);
      expect(harness.store.contents()).toEqual(before);
    });

    it("writes nothing when nothing changes", async () => {
      const before = harness.store.contents();
      for (const [as, body] of [
        ["Dispatcher", {}],
        ["Admin", {}],
        ["Dispatcher", { text: "Hello" }],
        ["Driver", { is_read: false }],
        ["Driver", { is_read: null }],
      ] as const) {
        expect(await edit(as, body)).toMatchObject({ body: { is_edited: false }, status: 200 });
      }
      expect(harness.store.contents()).toEqual(before);
    });

    it("does not find a message in the conversation of another driver, or a missing one", async () => {
      for (const params of [
        { driver_id: otherDriverId, driver_chat_msg_id: id },
        { ...atDriver(), driver_chat_msg_id: 999_999 },
      ]) {
        const error = await harness.refused("chats.edit", { params, body: { text: "x" } });
        expect(error).toMatchObject({
          detail: `There is no message ${params.driver_chat_msg_id}.`,
          status: 404,
        });
      }
    });

    describeFields(harness, {
      model: "UpdateDriverChatMessageModel",
      fields: { text: takes.text(1, 2048) },
      send: (changes) => edit("Dispatcher", changes),
    });
    describeFields(harness, {
      model: "UpdateDriverChatMessageModel",
      fields: { is_read: takes.boolean },
      send: (changes) => edit("Driver", changes),
    });
  });

  describe("recipients", () => {
    it("are the driver when a dispatcher asks, as a bare array", async () => {
      const name = harness.store.rows("drivers").find(({ id }) => id === harness.acme.driverId)?.name;
      expect(await harness.ok("chats.recipients", { params: atDriver() })).toEqual([{ ...toDriver(), name }]);
    });

    it("are the active dispatchers and administrators who see the location of the driver, when the driver asks", async () => {
      const { callers, locationId, owner } = harness.acme;
      const yard = await harness.ok("locations.create", { as: "Admin", body: { name: "East yard" } });
      const here = await harness.addCaller({ location_id: locationId, roles: ["Dispatcher"] });
      const there = await harness.addCaller({ location_id: yard.id, roles: ["Dispatcher"] });
      const gone = await harness.addCaller({ roles: ["Dispatcher"] });
      harness.store.update("users", gone.user.id, { is_active: 0 });
      const recipients = await harness.ok("chats.recipients", { as: "Driver", params: atDriver() });
      const known = [owner, callers.Admin, callers.Dispatcher, here].map(({ user }) => user);
      for (const { id, username } of known)
        expect(recipients).toContainEqual({ id, name: username, type: "dispatcher" });
      const ids = recipients.map(({ id }) => id);
      for (const { user } of [
        there,
        gone,
        callers.CrmUser,
        callers.ThirdPartyDispatcher,
        harness.globex.caller,
      ])
        expect(ids).not.toContain(user.id);
    });
  });
});
