// Measures the creation of customers at a location with 100,000 customers, against an empty one in the same run. Each
// creation searches for duplicates within 3 edits, once with different names and once with equal names.
import { fillCustomers } from "../customer-rows.js";
import { load } from "../load.js";
import { end } from "../measure.js";
import { callerHeaders, run, scratch, serve } from "../store.js";

const many = 100_000;
const bodiesMax = 10_000;

export async function* createCustomers({ seconds }) {
  const kinds = [
    { name: "100,000 customers", isSame: false, aim: 0.5 },
    { name: "100,000 customers of one name", isSame: true, aim: 0.2 },
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
  fillCustomers(store, customers, (number) => toCustomer(number, isSame));
  const headers = { ...callerHeaders(store), "content-type": "application/json" };
  const server = await serve(data);
  const path = `/locations/${store.location_id}/customers?max_address_edit_distance=3`;
  const requests = Array.from({ length: bodiesMax }, (_, index) => {
    const next = customers + index + 1;
    const body = JSON.stringify({
      addresses: [{ ...toAddress(next), is_billing: true, is_shipping: true }],
      contacts: [],
      name: toName(next, isSame),
    });
    return { method: "POST", path, headers, body };
  });
  // Use one connection and few seconds, so that no body is sent twice: the second would be a duplicate.
  const { perSecond } = await load({
    url: server.ready.url,
    requests,
    connections: 1,
    seconds: Math.min(seconds, 3),
  });
  await end(server.child);
  return perSecond;
}

const toCustomer = (number, isSame) => ({
  address: toAddress(number),
  is_common: isSame && number > 256 ? 1 : 0,
  name: toName(number, isSame),
});

const toName = (number, isSame) => (isSame ? "Corner Store" : `Corner Store ${number}`);

/** Returns addresses of one city, nearly all of one length and more than 3 edits apart. */
function toAddress(number) {
  const word = toWord(number);
  return {
    country: "US",
    latitude: 38.9,
    line_1: `${1000 + (number % 9000)} ${word} Street SE`,
    locality: "Washington",
    longitude: -77,
    postcode: "20020",
    region: "DC",
  };
}

/** Twelve letters, different for each number. */
function toWord(number) {
  let state = number;
  return Array.from({ length: 12 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return String.fromCharCode(97 + ((state >>> 16) % 26));
  }).join("");
}
