import { Agent } from "node:http";
import { end } from "../measure.js";
import { run, serve } from "../store.js";
import { ask } from "./ask.js";
import { queryOne, runCommand } from "./stores.js";

/**
 * Creates a store at `data` with two tenants. Each has a record of every kind, whose texts contain the tenant's
 * marker, and a caller for each role, or for the named roles. Returns for each tenant its id, its marker, ids by the
 * names of parameters and fields, and its callers (role and headers).
 */
export async function makeWorld(data, only) {
  run(["init", "--tenant", "Nobody", "--data", data]);
  const made = ["alpha", "bravo"].map((word) => {
    const marker = `${word}zqx`;
    const argv = ["tenants", "create", "--name", `${marker} hauling`, "--code", marker, "--owner", marker];
    const { id } = JSON.parse(run([...argv, "--data", data, "-o", "json"]));
    return { data, id, marker };
  });
  for (const tenant of made) tenant.token = (await makeToken(data, tenant, tenant.marker)).token;
  const { child, ready } = await serve(data, ["--allow-hauler-signup", "--no-deliver"]);
  const agent = new Agent({ keepAlive: true });
  try {
    const roles = only ?? (await readRoles(ready.url));
    const tenants = [];
    for (const tenant of made)
      tenants.push(await fillTenant(tenant, roles, toPost(agent, ready.url, tenant)));
    for (const tenant of tenants) tenant.ids.delivery_id = await findDelivery(data, tenant.id);
    return tenants;
  } finally {
    agent.destroy();
    await end(child);
  }
}

async function readRoles(url) {
  const { components } = await (await fetch(`${url}/openapi.json`)).json();
  return components.schemas.CreateUserModel.properties.roles.items.enum;
}

/** Finds the delivery that the webhook's first truck caused, because no request creates one. */
async function findDelivery(data, tenantId) {
  const { uuid } = await queryOne(
    data,
    `select uuid from deliveries where tenant_id = ${tenantId} order by id limit 1`,
  );
  return uuid;
}

/** Creates a token directly on the store: to create it over HTTP, a token would need all its roles. */
async function makeToken(data, { id, marker }, username) {
  const argv = ["tokens", "create", "--username", username, "--as", marker, "--tenant", String(id)];
  const { code, stderr, stdout } = await runCommand([...argv, "--data", data, "-o", "json"]);
  if (code !== 0) throw new Error(`tokens create exits with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

function toHeaders({ id }, token) {
  return { authorization: `Bearer ${token}`, "x-tenant-id": String(id) };
}

/** Returns a function that posts a valid body and returns the body of the answer. */
function toPost(agent, url, tenant) {
  const common = { "content-type": "application/json", "x-api-version": "2023/04/19" };
  return async (path, body) => {
    const headers = { ...common, ...toHeaders(tenant, tenant.token) };
    const answer = await ask(agent, {
      url: `${url}${path}`,
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    if (answer.status !== 200)
      throw new Error(`POST ${path}: ${answer.status ?? answer.problem} ${answer.body}`);
    return JSON.parse(answer.body);
  };
}

async function fillTenant(tenant, roles, post) {
  const { data, id, marker } = tenant;
  const ids = await fillRecords(marker, post);
  const at = `/locations/${ids.location_id}`;
  const bindings = {
    ClientCustomer: { customer_ids: [ids.customer_id] },
    Driver: { driver_id: ids.driver_id },
    ThirdPartyDispatcher: { third_party_hauler_id: ids.hauler_uuid },
    ThirdPartyDriver: { driver_id: ids.hauler_driver_id, third_party_hauler_id: ids.hauler_uuid },
  };
  const toCaller = async (role) => {
    const user = { username: `${marker}-${role}`, roles: [role], ...bindings[role] };
    await post(`${at}/users`, user);
    const { token } = await makeToken(data, tenant, user.username);
    return { roles: [role], marker, tenantId: id, headers: toHeaders(tenant, token) };
  };
  const callers = await Promise.all(roles.map(toCaller));
  // Create records that requests may change and remove, apart from the callers' own users and tokens.
  const victim = await post(`${at}/users`, { username: `${marker}-victim`, roles: ["CrmUser"] });
  const token = await makeToken(data, tenant, victim.username);
  return { id, marker, ids: { ...ids, user_id: victim.id, token_id: token.id }, callers };
}

async function fillRecords(marker, post) {
  const location = await post("/locations", { name: `${marker} yard` });
  const other = await post("/locations", { name: `${marker} north` });
  const at = `/locations/${location.id}`;
  // Haulers belong to no tenant and every tenant sees them, so they have no marker.
  const hauler = await post("/haulers", {
    company_name: "Big Haul",
    password: "Secret1",
    recaptcha: "none-here",
    username: `office@${marker.slice(0, 5)}.example`,
  });
  const customer = await post(`${at}/customers`, toCustomer(marker));
  const driver = await post(`${at}/drivers`, { name: `${marker} driver` });
  const haulerDriver = await post(`${at}/drivers`, {
    name: `${marker} hired`,
    third_party_hauler_id: hauler.id,
  });
  const truck = await post(`${at}/trucks`, { name: `${marker} truck`, driver_id: driver.id });
  await post(`${at}/trucks`, {
    name: `${marker} hired`,
    driver_id: haulerDriver.id,
    third_party_hauler_id: hauler.id,
  });
  const job = await post(`${at}/jobs`, {
    address_id: customer.addresses[0].id,
    dispatcher_notes: `${marker} gate`,
    requested_by: customer.id,
    truck_id: truck.id,
    type: "D",
  });
  const assetType = await post(`${at}/asset_types`, { name: `${marker} box` });
  const asset = await post(`${at}/assets`, { number: `${marker}-1`, asset_type_id: assetType.id });
  const dump = await post(`${at}/dump_destinations`, { description: `${marker} dump` });
  await post(`${at}/materials`, { description: `${marker} gravel` });
  const hook = await post("/hooks", { events: ["Truck"], url: "https://hook.invalid/" });
  await post(`${at}/trucks`, { name: `${marker} spare` });
  const message = await post(`/drivers/${driver.id}/chats`, {
    receiver: { id: driver.id, type: "driver" },
    text: `${marker} call`,
  });
  return {
    asset_id: asset.id,
    asset_type_id: assetType.id,
    address_id: customer.addresses[0].id,
    customer_address_id: customer.addresses[0].id,
    customer_contact_id: customer.contacts[0].id,
    customer_id: customer.id,
    customer_location_id: other.id,
    driver_chat_msg_id: message.id,
    driver_id: driver.id,
    dump_destination_id: dump.id,
    hauler_driver_id: haulerDriver.id,
    hauler_uuid: hauler.id,
    hook_id: hook.id,
    job_id: job.id,
    location_id: location.id,
    truck_id: truck.id,
  };
}

function toCustomer(marker) {
  const address = {
    country: "US",
    is_billing: true,
    is_shipping: true,
    latitude: 38.867,
    line_1: `${marker} 1745 T Street SE`,
    locality: "Washington",
    longitude: -76.979,
    postcode: "20020",
    region: "DC",
  };
  return { name: `${marker} roofing`, addresses: [address], contacts: [{ name: `${marker} Dana` }] };
}
