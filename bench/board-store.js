import { jobBodies } from "./job-bodies.js";
import { sendRequest } from "./measure.js";
import { callerHeaders, plainStore, serve } from "./store.js";

/** Days that the store of examples has no jobs on, by how many they get here. */
export const boardDays = { 500: "2031-03-04", 2000: "2031-03-11" };
const trucks = 20;
const connections = 8;

/**
 * A server whose first location has the days of `boardDays`, their jobs on twenty trucks in turn. Gives the process, where it
 * listens, the headers and credentials of its caller, and `send`, which asks it something and gives what it answers.
 */
export async function serveBoard() {
  const store = plainStore(100);
  const headers = callerHeaders(store);
  const { child, ready } = await serve(store.data);
  const place = `${ready.url}/locations/${store.location_id}`;
  const send = async (method, path, body) => {
    const request = {
      url: `${place}${path}`,
      method,
      headers: { ...headers, "content-type": "application/json" },
    };
    const answer = await sendRequest({ ...request, body: JSON.stringify(body) });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.body}`);
    return JSON.parse(answer.body);
  };
  const truckIds = [];
  for (let number = 1; number <= trucks; number++)
    truckIds.push((await send("POST", "/trucks", { name: `Bench ${number}` })).id);
  const toBody = await jobBodies(`${place}/jobs`, headers);
  for (const [count, date] of Object.entries(boardDays)) {
    await inTurns(Number(count), (index) =>
      send("POST", "/jobs", {
        ...JSON.parse(toBody(`Ring twice, stop ${index}.`)),
        reference_number: `PO-${count}-${index}`,
        // Half of them have the whole day, the others a time, which is one of that day everywhere in America.
        schedule_date: index % 2 === 0 ? date : `${date}T${15 + (index % 6)}:30:00`,
        truck_id: truckIds[index % trucks],
      }),
    );
  }
  const credentials = { token: headers.authorization.replace("Bearer ", ""), tenantId: store.tenant_id };
  return { child, credentials, send, truckIds, url: ready.url };
}

/** Does something so many times, some at once. */
export async function inTurns(count, act) {
  let next = 0;
  const loop = async () => {
    while (next < count) await act(next++);
  };
  await Promise.all(Array.from({ length: connections }, loop));
}
