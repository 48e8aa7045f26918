// Customers created at a location that has 100,000, against an empty one of the same run. Each creation looks for
// duplicates within 3 edits; once all names differ, once all are the same.
import SqliteDatabase from "better-sqlite3";
import { load } from "../load.js";
import { end } from "../measure.js";
import { callerHeaders, run, scratch, serve } from "../store.js";

const many = 100_000;
const bodiesMax = 10_000;

export async function* createCustomers({ seconds }) {
  const kinds = [
    { name: "100,000 customers", isSame: false, aim: 0.5 },
    { name: "100,000 customers of the very same name", isSame: true, aim: 0.2 },
  ];
  for (const { name, isSame, aim } of kinds) {
    const empty = await createRate(`${isSame}-empty`, 0, isSame, seconds);
    const rate = await createRate(`${isSame}-full`, many, isSame, seconds);
    yield {
      question: `POST a customer, 3 edits, ${name}, against an empty store`,
      figure: rate,
      floor: empty,
      aim,
    };
  }
}

async function createRate(label, customers, isSame, seconds) {
  const data = scratch(`duplicates-${label}.db`);
  const argv = ["init", "--data", data, "--tenant", "Bench", "--location", "Yard", "-o", "json"];
  const store = JSON.parse(run(argv));
  if (customers > 0) fill(store, customers, isSame);
  const headers = { ...callerHeaders(store), "content-type": "application/json" };
  const server = await serve(data);
  const path = `/locations/${store.location_id}/customers?max_address_edit_distance=3`;
  const requests = Array.from({ length: bodiesMax }, (_, index) => {
    const next = customers + index + 1;
    const body = JSON.stringify({ addresses: [toAddress(next)], contacts: [], name: toName(next, isSame) });
    return { method: "POST", path, headers, body };
  });
  // One connection, and few enough seconds, so that no body is sent twice: the second would be a duplicate.
  const { perSecond } = await load({
    url: server.ready.url,
    requests,
    connections: 1,
    seconds: Math.min(seconds, 3),
  });
  await end(server.child);
  return perSecond;
}

const toName = (number, isSame) => (isSame ? "Corner Store" : `Corner Store ${number}`);

/** Addresses of one city, nearly all of one length and more than 3 edits apart. */
function toAddress(number) {
  const word = toWord(number);
  return {
    country: "US",
    is_billing: true,
    is_shipping: true,
    latitude: 38.9,
    line_1: `${1000 + (number % 9000)} ${word} Street SE`,
    locality: "Washington",
    longitude: -77,
    postcode: "20020",
    region: "DC",
  };
}

/** Twelve letters that are others for each number. */
function toWord(number) {
  let state = number;
  return Array.from({ length: 12 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return String.fromCharCode(97 + ((state >>> 16) % 26));
  }).join("");
}

/** Writes customers as the program would: half an hour of requests in a second. */
function fill({ data, tenant_id, location_id }, customers, isSame) {
  const db = new SqliteDatabase(data);
  const now = "2026-01-01T00:00:00.000000";
  const owned = { tenant_id };
  const insert = (table, row) => {
    const names = Object.keys(row);
    const statement = db.prepare(
      `insert into ${table} (${names}) values (${names.map((name) => `@${name}`)})`,
    );
    return (values) => statement.run(values).lastInsertRowid;
  };
  const toCustomer = (number) => {
    const name = toName(number, isSame);
    const key = name.toLowerCase();
    return {
      ...owned,
      created_on: now,
      last_updated_on: now,
      name,
      name_folded: key,
      name_key: key,
      revision: 0,
    };
  };
  const toRecord = (customer_id) => ({
    ...owned,
    created_on: now,
    customer_id,
    is_active: 1,
    last_updated_on: now,
    location_id,
  });
  const toRow = (number, customer_id, name_key) => {
    const address = { ...toAddress(number), is_billing: 1, is_shipping: 1 };
    const { line_1, locality, region, postcode, country } = address;
    const match_key = [line_1, locality, region, postcode, country].join(" ").toLowerCase();
    const is_common = isSame && number > 256 ? 1 : 0;
    const match = { is_common, match_key, match_length: match_key.length, name_key };
    return { ...owned, ...address, ...match, customer_id, is_active: 1, is_physical: 1 };
  };
  const customer = insert("customers", toCustomer(0));
  const record = insert("customer_locations", toRecord(0));
  const address = insert("addresses", toRow(0, 0, ""));
  db.transaction(() => {
    for (let number = 1; number <= customers; number++) {
      const row = toCustomer(number);
      const id = customer(row);
      record(toRecord(id));
      address(toRow(number, id, row.name_key));
    }
  })();
  db.close();
}
