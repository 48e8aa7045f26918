import { describe, expect, it } from "vitest";
import type { ApiVersion } from "../../../src/models/api-versions.ts";
import { truckParametersInBody } from "../../../src/models/versions/2021-05-07-truck-parameters-in-body.ts";
import { describeOnEveryTarget, describeOverHttp } from "../../support/targets.ts";

const inQuery: ApiVersion[] = ["2019/02/08", "2021/04/07"];
const inBody: ApiVersion[] = ["2021/05/07", "2021/08/02", "2021/11/04", "2023/04/19"];

describeOverHttp("2021/05/07 moves the parameters of trucks.update into the body", (harness) => {
  const patch = async (version: ApiVersion, query: string, body?: object) => {
    const { locationId, truckId } = harness.acme;
    const { status, text } = await harness.send({
      method: "PATCH",
      path: `/locations/${locationId}/trucks/${truckId}${query}`,
      headers: { ...harness.headersOf("Dispatcher"), "x-api-version": version },
      body: body && JSON.stringify(body),
    });
    const answer = JSON.parse(text);
    return status === 200
      ? { status, driver_id: answer.driver_id }
      : {
          status,
          errors: answer.errors.map((error: { code: string; field: string }) => [error.code, error.field]),
        };
  };

  describe.each(inQuery)("at %s", (version) => {
    it("driver_id is a query parameter", async () => {
      const { driverId, haulerDriverId } = harness.acme;
      for (const id of [haulerDriverId, driverId]) {
        expect(await patch(version, `?driver_id=${id}`)).toEqual({ status: 200, driver_id: id });
      }
    });

    it("an empty driver_id removes the driver, and a missing one keeps it (UpdateTruckQueryParamsModel)", async () => {
      const { driverId } = harness.acme;
      expect(await patch(version, `?driver_id=${driverId}`)).toEqual({ status: 200, driver_id: driverId });
      expect(await patch(version, "")).toEqual({ status: 200, driver_id: driverId });
      expect(await patch(version, "?driver_id=")).toEqual({ status: 200, driver_id: null });
      expect(await patch(version, "")).toEqual({ status: 200, driver_id: null });
    });

    it("a body is refused, and so are other parameters", async () => {
      const { driverId } = harness.acme;
      const refused = { status: 400, errors: [["unexpected_body", null]] };
      expect(await patch(version, "", { driver_id: driverId })).toEqual(refused);
      expect(await patch(version, `?driver_id=${driverId}`, {})).toEqual(refused);
      expect(await patch(version, "?notes=x")).toEqual({
        status: 400,
        errors: [["unknown_parameter", "notes"]],
      });
      expect(await patch(version, "?driver_id=x")).toEqual({
        status: 400,
        errors: [["wrong_type", "driver_id"]],
      });
    });
  });

  describe.each(inBody)("at %s", (version) => {
    it("driver_id is in the body; null removes the driver", async () => {
      const { driverId } = harness.acme;
      for (const id of [null, driverId]) {
        expect(await patch(version, "", { driver_id: id })).toEqual({ status: 200, driver_id: id });
      }
    });

    it("a driver_id in the query is refused, and so is a missing body", async () => {
      const { driverId } = harness.acme;
      expect(await patch(version, `?driver_id=${driverId}`, {})).toEqual({
        status: 400,
        errors: [["unknown_parameter", "driver_id"]],
      });
      expect(await patch(version, "")).toEqual({
        status: 400,
        errors: [["missing_body", "UpdateTruckRequestModel"]],
      });
    });
  });
});

describeOnEveryTarget("trucks.update in its newest form", (harness) => {
  const update = (version: ApiVersion, body: object) => {
    const { locationId, truckId } = harness.acme;
    return harness.call("trucks.update", {
      params: { location_id: locationId, truck_id: truckId },
      body,
      version,
    });
  };

  it.each([...inQuery, ...inBody])(
    "works at %s: the client converts it to the form of that version",
    async (version) => {
      for (const driver_id of [null, harness.acme.haulerDriverId, harness.acme.driverId]) {
        expect(await update(version, { driver_id })).toMatchObject({ status: 200, body: { driver_id } });
      }
    },
  );

  it.each(inQuery)("at %s can change only the driver", async (version) => {
    const before = harness.store.contents();
    expect(await update(version, { driver_id: null, notes: "x" })).toMatchObject({
      status: 400,
      body: { code: "unexpected_body" },
    });
    expect(harness.store.contents()).toEqual(before);
  });
});

it("has a description for users", () => {
  expect(truckParametersInBody.text).toBe(
    "PATCH /locations/{location_id}/trucks/{truck_id} takes its former query parameters in the request body.",
  );
});
