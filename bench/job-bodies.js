import { sendOnce } from "./measure.js";

/**
 * Creates bodies for POST at `url`, the address of a location's jobs, for customers and addresses that have
 * jobs there.
 */
export async function jobBodies(url, headers) {
  const known = JSON.parse(await sendOnce({ url: `${url}?page_limit=100`, headers })).results;
  let next = 0;
  return (notes) => {
    const { requested_by, customer_id, address_id } = known[next++ % known.length];
    return JSON.stringify({
      type: "R",
      requested_by,
      customer_id,
      address_id,
      schedule_date: "2026-12-01",
      dispatcher_notes: notes,
    });
  };
}
