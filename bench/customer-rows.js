import SqliteDatabase from "better-sqlite3";

const now = "2026-01-01T00:00:00.000000";

/**
 * Inserts customers into a store file in seconds, with the rows that the program would write in half an hour of
 * requests. `toCustomer` returns the `name` and `address` of each number from 1, and optionally its `contact`, its
 * `reference_number`, and whether more than 256 customers share the name (`is_common`).
 */
export function fillCustomers({ data, tenant_id, location_id }, count, toCustomer) {
  const db = new SqliteDatabase(data);
  const insert = (table, row) => {
    const names = ["tenant_id", ...Object.keys(row)];
    const statement = db.prepare(
      `insert into ${table} (${names}) values (${names.map((name) => `@${name}`)})`,
    );
    return (values) => statement.run({ tenant_id, ...values }).lastInsertRowid;
  };
  const rows = toRows(toCustomer(1), location_id);
  const put = Object.fromEntries(
    Object.entries({ ...rows, contacts: toContact({}) }).map(([table, row]) => [
      table,
      insert(table, { ...row, ...(table !== "customers" && { customer_id: 0 }) }),
    ]),
  );
  db.transaction(() => {
    for (let number = 1; number <= count; number++) {
      const { customers, ...parts } = toRows(toCustomer(number), location_id);
      const customer_id = put.customers(customers);
      for (const [table, row] of Object.entries(parts)) put[table]({ ...row, customer_id });
    }
  })();
  db.close();
}

function toRows({ address, contact, is_common = 0, name, reference_number = null }, location_id) {
  const name_key = name.toLowerCase();
  const { line_1, locality, region, postcode, country } = address;
  const match_key = [line_1, locality, region, postcode, country].join(" ").toLowerCase();
  const match = { is_common, match_key, match_length: match_key.length, name_key };
  const kept = { is_active: 1, is_physical: 1, is_billing: 1, is_shipping: 1 };
  return {
    customers: { created_on: now, last_updated_on: now, name, name_folded: name_key, name_key, revision: 0 },
    customer_locations: {
      created_on: now,
      is_active: 1,
      last_updated_on: now,
      location_id,
      reference_number,
    },
    addresses: { ...address, ...match, ...kept },
    ...(contact && { contacts: toContact(contact) }),
  };
}

const toContact = ({ name = null, number = null }) => ({
  name,
  number,
  notify_on_acknowledged_request: 0,
  notify_on_completed_request: 0,
  notify_on_dispatched_request: 0,
  notify_on_failed_request: 0,
  notify_on_new_request: 0,
});
