import { fillCustomers } from "./customer-rows.js";
import { run, scratch } from "./store.js";

const made = new Map();

/**
 * Returns a store with this many customers with realistic names, a contact, and a reference number. Each run creates
 * it once.
 */
export function manyCustomers(count) {
  if (!made.has(count)) {
    const argv = [
      "init",
      "--data",
      scratch(`customers-${count}.db`),
      "--tenant",
      "Bench",
      "--location",
      "Yard",
    ];
    const store = JSON.parse(run([...argv, "-o", "json"]));
    fillCustomers(store, count, toCustomer);
    made.set(count, store);
  }
  return made.get(count);
}

/** Returns the customer with this number, the same in each run. */
export function toCustomer(number) {
  const pick = toPicker(number);
  const person = `${pick(first)} ${pick(last)}`;
  const name =
    number % 3 === 0 ? `${pick(last)} ${pick(trades)}` : `${pick(places)} ${pick(trades)} ${pick(ends)}`;
  return {
    name: `${name} ${number % 10 === 0 ? "" : pick(last)}`.trim(),
    address: {
      country: "US",
      latitude: 38.9,
      line_1: `${100 + (number % 9900)} ${pick(last)} ${pick(ways)}`,
      locality: pick(places),
      longitude: -77,
      postcode: String(20000 + (number % 700)),
      region: "DC",
    },
    contact: { name: person, number: toPhone(number) },
    reference_number: `AC-${number}`,
  };
}

/** Returns the unique phone number of a customer. */
export const toPhone = (number) => {
  const digits = String(2_000_000 + number * 7).padStart(7, "0");
  return `(202) ${digits.slice(-7, -4)}-${digits.slice(-4)}`;
};

function toPicker(seed) {
  let state = seed;
  return (words) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return words[(state >>> 8) % words.length];
  };
}

/** Three lists of name parts, enough for thousands of names. */
const parts = [
  "Ash Bar Ber Can Car Dal Dun Elm Fal Gar Hal Har Ken Lang Mar Nor Pem Rad Stan Win".split(" "),
  "bor bur den der el er ing ker lan ley mar more ney ning per ring sen ter ver wel".split(" "),
  "by dale field ford ham ley man son ston ton ville wick wood worth".split(" "),
];
const last = parts[0].flatMap((a) => parts[1].flatMap((b) => parts[2].map((c) => a + b + c)));
const first =
  "Ana Ben Carl Dana Eva Finn Gail Hugo Iris Jon Kate Liam Mona Nils Olga Pat Rosa Sam Tess Vic".split(" ");
const places =
  "Anacostia Arlington Bethesda Brookland Capitol Chevy Dupont Foggy Friendship Georgetown Kalorama Laurel".split(
    " ",
  );
const trades =
  "Builders Concrete Demolition Electric Excavation Hauling Homes Landscaping Masonry Paving Roofing Scrap".split(
    " ",
  );
const ends = ["Company", "Corporation", "Group", "Inc", "LLC", "Partners", "Services", "Supply"];
const ways = ["Avenue", "Court", "Drive", "Lane", "Road", "Street"];
