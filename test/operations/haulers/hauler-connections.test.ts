import { beforeEach, expect, it } from "vitest";
import { aHaulerRow } from "../../support/builders.ts";
import { describeFields } from "../../support/describe-fields.ts";
import { toViolations } from "../../support/describe-input.ts";
import * as takes from "../../support/field-cases.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";
import { testStart } from "../../support/test-clock.ts";

const code = "Grün-1";

describeOnEveryTarget("haulers.connect and haulers.connections", (harness) => {
  let hauler_uuid: string;

  beforeEach(() => {
    harness.store.update("tenants", harness.acme.tenantId, { code });
    harness.store.update("tenants", harness.globex.tenantId, { code: "GLOBEX" });
    hauler_uuid = harness.service.makeUuid();
    harness.store.insert("haulers", aHaulerRow(hauler_uuid));
  });

  const connect = (as: "Admin" | "Dispatcher" | "Driver", tenant_code = code) =>
    harness.call("haulers.connect", { as, params: { hauler_uuid }, body: { tenant_code } });
  const auditRows = () =>
    harness.store.rows("audit").filter(({ record_type }) => record_type === "HaulerConnection");

  it("are approved at once if an Admin or a Dispatcher connects", async () => {
    const { Dispatcher } = harness.acme.callers;
    const { body } = await connect("Dispatcher");
    expect(body).toEqual({
      approved_by: Dispatcher.user.id,
      approved_on: testStart,
      denied_on: null,
      is_approved: true,
      location_id: null,
      provider_id: harness.acme.tenantId,
      provider_name: "Acme",
      requested_on: testStart,
      third_party_hauler_id: hauler_uuid,
    });
    const { results } = await harness.ok("haulers.connections", { params: { hauler_uuid } });
    expect(results).toEqual([body]);
    expect(auditRows().at(-1)).toMatchObject({ action: "created", user_id: Dispatcher.user.id });
  });

  it("stay requests if other callers connect, until an Admin or a Dispatcher connects the same hauler", async () => {
    const asked = { approved_by: null, approved_on: null, is_approved: false };
    expect(await connect("Driver")).toMatchObject({ body: asked, status: 200 });
    const rows = harness.store.rowCounts();
    expect(await connect("Driver")).toMatchObject({ body: asked, status: 200 });
    expect(harness.store.rowCounts()).toEqual(rows);
    const { Admin } = harness.acme.callers;
    const approved = { approved_by: Admin.user.id, approved_on: testStart, is_approved: true };
    expect(await connect("Admin")).toMatchObject({ body: approved });
    expect(auditRows().at(-1)).toMatchObject({ action: "approved", user_id: Admin.user.id });
  });

  it("return an existing connection unchanged", async () => {
    const first = await connect("Admin");
    const before = harness.store.contents();
    expect((await connect("Dispatcher")).body).toEqual(first.body);
    expect((await connect("Driver")).body).toEqual(first.body);
    expect(harness.store.contents()).toEqual(before);
  });

  it("belong to the location of a caller that is bound to one", async () => {
    const { locationId } = harness.acme;
    const as = await harness.addCaller({ location_id: locationId, roles: ["Dispatcher"] });
    const call = { as, params: { hauler_uuid }, body: { tenant_code: code } };
    expect(await harness.ok("haulers.connect", call)).toMatchObject({ location_id: locationId });
  });

  it("accept the code of the tenant itself in any case, and no other code, and never reveal if one exists", async () => {
    const field = "CreateHaulerConnectionRequestModel.tenant_code";
    const details = new Set<string>();
    for (const tenant_code of ["GLOBEX", "globex", "nobody's", ` ${code}`]) {
      const error = await harness.refused("haulers.connect", {
        params: { hauler_uuid },
        body: { tenant_code },
      });
      expect(error).toMatchObject({ code: "unknown_reference", field, status: 400 });
      details.add(error.detail);
    }
    expect(details.size).toBe(1);
    expect((await connect("Admin", "GRÜN-1")).status).toBe(200);
    harness.store.update("tenants", harness.acme.tenantId, { code: null });
    expect(toViolations(await connect("Admin"))).toEqual([400, ["unknown_reference", field]]);
  });

  it("exist once for each tenant, and connections of other tenants are hidden", async () => {
    await connect("Admin");
    const elsewhere = { as: harness.globex.caller, params: { hauler_uuid } };
    expect((await harness.ok("haulers.connections", elsewhere)).results).toEqual([]);
    await harness.ok("haulers.connect", { ...elsewhere, body: { tenant_code: "GLOBEX" } });
    const { results } = await harness.ok("haulers.connections", elsewhere);
    expect(results).toMatchObject([{ provider_id: harness.globex.tenantId, provider_name: "Globex" }]);
    expect((await harness.ok("haulers.connections", { params: { hauler_uuid } })).total_count).toBe(1);
  });

  it("are visible to a third party only for its own hauler: another hauler answers 404", async () => {
    const { haulerId } = harness.acme;
    if (!harness.store.rows("haulers").some(({ uuid }) => uuid === haulerId))
      harness.store.insert("haulers", aHaulerRow(haulerId));
    for (const as of ["ThirdPartyDispatcher", "ThirdPartyDriver"] as const) {
      const call = { as, params: { hauler_uuid: haulerId }, body: { tenant_code: code } };
      expect(await harness.ok("haulers.connect", call)).toMatchObject({ is_approved: false });
      expect((await harness.ok("haulers.connections", { as, params: call.params })).total_count).toBe(1);
      const before = harness.store.contents();
      const other = { ...call, params: { hauler_uuid } };
      expect((await harness.call("haulers.connect", other)).status).toBe(404);
      expect((await harness.call("haulers.connections", { as, params: other.params })).status).toBe(404);
      expect(harness.store.contents()).toEqual(before);
    }
  });

  it("answer 404 to a Driver user without a driver", async () => {
    const as = await harness.addCaller({ roles: ["Driver"] });
    expect((await harness.call("haulers.connections", { as, params: { hauler_uuid } })).status).toBe(404);
  });

  const send = (body: unknown) => harness.call("haulers.connect", { params: { hauler_uuid }, body });
  describeFields(harness, {
    model: "CreateHaulerConnectionRequestModel",
    fields: { tenant_code: { ...takes.required(takes.text(1, 128)), taken: [] } },
    send,
  });
});
