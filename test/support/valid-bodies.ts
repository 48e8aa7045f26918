import { aCustomer, aHook, anAddress, aTruck, aUser, type Json } from "./builders.ts";
import type { Fixture } from "./fixture.ts";

/** Creates a body that is valid for the fixture's records, for the Dispatcher where roles matter. */
type MakeBody = (fixture: Fixture) => Json;

/**
 * A small valid body for each model that operations accept. Add a line for a new model: all generated tests then
 * cover it.
 */
export const validBodies: Readonly<Record<string, MakeBody>> = {
  ApplyRetentionModel: () => ({ kinds: ["gps"] }),
  BatchModel: ({ own }) => ({
    operations: [
      {
        body: { dispatcher_notes: "Gate code 1234" },
        method: "PATCH",
        path: `/locations/${own.location_id}/jobs/${own.job_id}`,
      },
    ],
  }),
  CreateAdditionalItemModel: () => ({ deduct_weight: 0, description: "Mattress", heavy_weight: 12.5 }),
  CreateCustomerAddressModel: () => anAddress(),
  CreateCustomerContactModel: () => ({ name: "Zoë" }),
  CreateCustomerModel: () => aCustomer(),
  CreateDispatchCustomerLocationModel: () => ({ note: "Second yard" }),
  CreateDriverChatMessageModel: ({ own }) => ({
    receiver: { id: own.driver_id, type: "driver" },
    text: "Call me",
  }),
  CreateDriverModel: () => ({ name: "Dana" }),
  CreateDumpDestinationModel: () => ({ city: "Tacoma", description: "South landfill" }),
  CreateHaulerConnectionRequestModel: () => ({ tenant_code: "ACME" }),
  CreateHaulerRequestModel: () => ({
    company_name: "New Haul",
    password: haulerPassword,
    recaptcha: "none-here",
    username: "office@newhaul.example",
  }),
  CreateJobAssetModel: () => ({ number: "R-21" }),
  CreateJobAssetTypeModel: () => ({ name: "30 yd roll-off" }),
  CreateJobImageModel: () => ({ url: "https://example.com/image.jpg" }),
  CreateJobMaterialModel: () => ({ material_name: "Concrete", quantity: 2 }),
  CreateJobRequestBodyModel: ({ own }) => ({
    address_id: own.customer_address_id,
    requested_by: own.customer_id,
    type: "D",
  }),
  CreateLocationModel: () => ({ name: "South" }),
  CreateMaterialModel: () => ({ description: "Gravel" }),
  CreateTokenModel: () => ({ username: "the-Admin" }),
  CreateTruckModel: () => aTruck(),
  CreateUserModel: () => aUser(),
  CreateWebhookModel: () => aHook({ secret: hookSecret }),
  // The fixture's job already is on its truck.
  DispatchJobRequestModel: () => ({ new_schedule_date: "2026-12-24T08:00:00Z" }),
  EnableWebhookModel: () => ({ backlog: "skip" }),
  GpsEventProfileModel: () => ({
    location: { coords: { latitude: 38.9, longitude: -77 }, timestamp: "2026-11-21T11:59:00Z" },
  }),
  MoveClockModel: () => ({ advance: "1d" }),
  MoveJobModel: () => ({ first: true }),
  OrderJobsModel: ({ own }) => ({ jobs: [own.job_id] }),
  ReplayWebhookModel: () => ({ from: "2020-01-01T00:00:00Z", to: "2026-11-01T00:00:00Z" }),
  ReplayDeliveriesModel: ({ own }) => ({ delivery_id: own.delivery_id }),
  RotateWebhookSecretModel: () => ({ overlap_hours: 1 }),
  TriggerWebhookModel: ({ own }) => ({ record_id: own.truck_id, type: "Truck" }),
  UpdateCustomerAddressModel: () => ({ line_2: "Rear gate" }),
  UpdateCustomerContactModel: () => ({ name: "Renée" }),
  UpdateCustomerModel: () => ({ name: "Renamed" }),
  UpdateDispatchCustomerLocationModel: () => ({ note: "Ring twice" }),
  UpdateDriverChatMessageModel: () => ({ text: "Call the yard now" }),
  UpdateDriverModel: () => ({ city: "Tacoma" }),
  UpdateDumpDestinationModel: () => ({ city: "Seattle" }),
  UpdateJobAssetModel: () => ({ number: "R-22" }),
  UpdateJobAssetTypeModel: () => ({ quantity: 7 }),
  UpdateJobProfileModel: () => ({ dispatcher_notes: "Gate code 1234" }),
  UpdateLocationModel: () => ({ name: "Main yard" }),
  // Before 2021/05/07, PATCH on a truck accepts only this field.
  UpdateRetentionModel: () => ({ events: "30d" }),
  UpdateTruckRequestModel: ({ own }) => ({ driver_id: own.driver_id }),
  UpdateUserModel: () => ({ roles: ["CrmUser", "Dispatcher"] }),
  UpdateWebhookModel: () => ({ secret: otherHookSecret }),
};

/** A secret that no audit row and no event may contain. */
export const hookSecret = "c2VjcmV0LWtleS0xMjM0NTY=";
export const otherHookSecret = "YW5vdGhlci1zZWNyZXQta2V5";
export const haulerPassword = "Tr0ub4dor-and-3";
