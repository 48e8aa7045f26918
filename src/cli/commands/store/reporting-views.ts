import { jobReports } from "../../../models/job-state.ts";
import { jobTypeNames } from "../../../models/job-types.ts";
import { isPostgresAddress, parsePostgresAddress } from "../../../store/postgres/address.ts";

/**
 * SQL that creates views with plain columns: stored jobs are not readable in SQL, and tables change between versions.
 * On SQLite the views last as long as the connection, so the store's file needs no change. On PostgreSQL they are in a
 * schema of their own, and show a role only the tenants of its rows in `readers`.
 */
export function toReportingViews(data: string, env: Readonly<Record<string, string | undefined>>): string {
  if (!isPostgresAddress(data)) {
    const dialect: Dialect = {
      read: (name) => `json_extract(r, '$.${name}')`,
      record: `'{' || ${plainRecord("char(31)")} || '}'`,
    };
    return toViews(dialect)
      .map(({ name, query }) => `create temp view reporting_${name} as\n${query};\n`)
      .join("\n");
  }
  const dialect: Dialect = {
    read: (name, type) => (type === "text" ? `r ->> '${name}'` : `(r ->> '${name}')::${type}`),
    record: `('{' || ${plainRecord("chr(31)")} || '}')::jsonb`,
  };
  const { schema } = parsePostgresAddress(data, env);
  const path = schema === null ? "" : `set local search_path = ${schema};\n`;
  const views = toViews(dialect).map(
    ({ name, query }) => `drop view if exists reporting.${name};
create view reporting.${name} with (security_barrier) as
${query}
where tenant_id in (select tenant_id from reporting.readers where role_name = session_user);
`,
  );
  return `begin;
create schema if not exists reporting;
create table if not exists reporting.readers (
  role_name name not null, tenant_id bigint not null, primary key (role_name, tenant_id)
);
${path}
${views.join("\n")}
commit;
`;
}

type ColumnType = "boolean" | "numeric" | "text" | "timestamp";

interface Dialect {
  /** A field of the job's record `r`. */
  read(name: string, type: ColumnType): string;
  /** The job's record as JSON. */
  record: string;
}

/** A record is the code of its layout and members of a JSON object, each group after a separator; a group may be empty. */
function plainRecord(separator: string): string {
  const once = (text: string) => `replace(${text}, ${separator} || ${separator}, ${separator})`;
  return `replace(${once(once("substr(record, 10)"))}, ${separator}, ',')`;
}

function toViews(dialect: Dialect): { name: string; query: string }[] {
  return [
    { name: "jobs", query: toJobs(dialect) },
    { name: "job_materials", query: jobMaterials },
    { name: "customers", query: customers },
    { name: "addresses", query: addresses },
    { name: "trucks", query: trucks },
    { name: "deliveries", query: deliveries },
  ].map(({ name, query }) => ({ name, query: `select * from (${query}\n) as named` }));
}

function toJobs({ read, record }: Dialect): string {
  const fields: readonly [name: string, type: ColumnType][] = [
    ["schedule_date", "timestamp"],
    ["desired_start_time", "timestamp"],
    ["desired_end_time", "timestamp"],
    ["dispatched_on", "timestamp"],
    ["completed_on", "timestamp"],
    ["reference_number", "text"],
    ["customer_notes", "text"],
    ["dispatcher_notes", "text"],
    ["driver_notes", "text"],
    ["fail_reason", "text"],
    ["scale_ticket", "text"],
    ["times_failed", "numeric"],
    ["is_paid", "boolean"],
  ];
  const underWay = jobReports
    .map((name) => `${read(name, "text")} >= coalesce(${read("dispatched_on", "text")}, '')`)
    .join(" or ");
  const typeWords = Object.entries(jobTypeNames).map(([type, word]) => `when '${type}' then '${word}'`);
  return `
  select j.tenant_id, t.name as tenant, j.id, l.name as location, l.time_zone, c.name as customer, j.customer_id,
    a.line_1 as street, a.locality as city, a.region as state, a.postcode as zip,
    case ${read("type", "text")} ${typeWords.join(" ")} end as type,
    case when ${read("is_deleted", "boolean")} = true then 'deleted' when ${read("is_completed", "boolean")} = true then 'completed'
      when ${read("is_failed", "boolean")} = true then 'failed' when j.truck_id is null then 'unassigned'
      when ${read("is_declined", "boolean")} = true then 'declined' when ${underWay} then 'in progress'
      when ${read("is_acknowledged", "boolean")} = true then 'acknowledged' else 'dispatched' end as status,
    k.name as truck, d.name as driver, j.created_on, j.last_updated_on,
    ${fields.map(([name, type]) => `${read(name, type)} as ${name}`).join(",\n    ")}
  from (select jobs.*, ${record} as r from jobs) j
    join tenants t on t.id = j.tenant_id
    join locations l on l.tenant_id = j.tenant_id and l.id = j.location_id
    join customers c on c.tenant_id = j.tenant_id and c.id = j.customer_id
    join addresses a on a.tenant_id = j.tenant_id and a.id = j.address_id
    left join trucks k on k.tenant_id = j.tenant_id and k.id = j.truck_id
    left join drivers d on d.tenant_id = k.tenant_id and d.id = k.driver_id`;
}

const jobMaterials = `
  select tenant_id, job_id, id, material_name as material, quantity, heavy_weight, light_weight, tare_weight,
    heavy_weight - coalesce(light_weight, tare_weight) as net_weight
  from job_materials`;

const customers = `
  select c.tenant_id, c.id, c.name, c.parent_id, l.name as location, p.is_active, p.is_commercial,
    p.account_number_1, p.account_number_2, p.reference_number, p.sales_rep, c.created_on
  from customers c
    join customer_locations p on p.tenant_id = c.tenant_id and p.customer_id = c.id
    join locations l on l.tenant_id = p.tenant_id and l.id = p.location_id`;

const addresses = `
  select a.tenant_id, a.id, a.customer_id, c.name as customer, a.line_1 as street, a.locality as city,
    a.region as state, a.postcode as zip, a.country, a.latitude, a.longitude, a.is_active, a.is_billing
  from addresses a join customers c on c.tenant_id = a.tenant_id and c.id = a.customer_id`;

const trucks = `
  select k.tenant_id, k.id, k.name, k.type, l.name as location, d.name as driver, k.out_of_service
  from trucks k
    join locations l on l.tenant_id = k.tenant_id and l.id = k.location_id
    left join drivers d on d.tenant_id = k.tenant_id and d.id = k.driver_id`;

const deliveries = `
  select tenant_id, id, hook_id, kind, action, record_id, status, attempt, http_status, created_on, finished_on
  from deliveries`;
