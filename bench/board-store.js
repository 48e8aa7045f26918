import { jobBodies } from "./job-bodies.js";
import { sendRequest } from "./measure.js";
import { callerHeaders, plainStore, serve } from "./store.js";

/** Days without jobs in the demo, by the number of jobs that the benchmark adds to them. */
export const boardDays = { 500: "2031-03-04", 2000: "2031-03-11" };
const trucks = 20;
const connections = 8;

/**
 * Serves a store whose first location has the days of `boardDays`, with jobs on twenty trucks. Returns the
 * process, its address, the credentials of its caller and of the first truck's driver, and `send` for requests.
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
  const { body } = await sendRequest({ url: `${place}/drivers`, headers });
  const [driver] = JSON.parse(body).results;
  const truckIds = [];
  for (let number = 1; number <= trucks; number++)
    truckIds.push(
      (await send("POST", "/trucks", { driver_id: number === 1 ? driver.id : null, name: `Bench ${number}` }))
        .id,
    );
  const toBody = await jobBodies(`${place}/jobs`, headers);
  for (const [count, date] of Object.entries(boardDays)) {
    await inTurns(Number(count), (index) =>
      send("POST", "/jobs", {
        ...JSON.parse(toBody(`Ring twice, stop ${index}.`)),
        reference_number: `PO-${count}-${index}`,
        // Half of the jobs are for the whole day. The others have a time on that day everywhere in America.
        schedule_date: index % 2 === 0 ? date : `${date}T${15 + (index % 6)}:30:00`,
        truck_id: truckIds[index % trucks],
      }),
    );
  }
  const toCredentials = ({ authorization }) => ({
    token: authorization.replace("Bearer ", ""),
    tenantId: store.tenant_id,
  });
  return {
    child,
    credentials: toCredentials(headers),
    driver: toCredentials(callerHeaders(store, driver.username)),
    send,
    truckIds,
    url: ready.url,
  };
}

export async function inTurns(count, act) {
  let next = 0;
  const loop = async () => {
    while (next < count) await act(next++);
  };
  await Promise.all(Array.from({ length: connections }, loop));
}
