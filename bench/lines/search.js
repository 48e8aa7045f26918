// Measures finding one of 100,000 customers by a caller's words, against reading one customer by its id in the same
// run.
import { load } from "../load.js";
import { manyCustomers, toCustomer, toPhone } from "../many-customers.js";
import { end } from "../measure.js";
import { startPostgres } from "../postgres.js";
import { callerHeaders, run, serve } from "../store.js";

const customersMax = 100_000;
/** The limit of a search on any machine. */
const msMax = 100;

export async function* search(options) {
  const store = manyCustomers(Math.min(options.jobs, customersMax));
  yield* searching("", store, store.data, options);
}

export async function* searchOnPostgres(options) {
  const store = manyCustomers(Math.min(options.jobs, customersMax));
  const database = await startPostgres();
  try {
    run(["store", "copy", "--from", store.data, "--to", database.address]);
    yield* searching("PostgreSQL: ", store, database.address, options);
  } finally {
    await database.remove();
  }
}

async function* searching(prefix, store, data, { jobs, seconds }) {
  const customers = Math.min(jobs, customersMax);
  const headers = callerHeaders({ ...store, data });
  const server = await serve(data, ["--no-deliver", "--cache-mb", "0"]);
  try {
    const perRequest = async (paths) => {
      const requests = paths.map((path) => ({ path, headers }));
      const { perSecond } = await load({ url: server.ready.url, requests, connections: 1, seconds });
      return 1000 / perSecond;
    };
    const numbers = Array.from({ length: 200 }, (_, index) => 1 + ((index * 499) % customers));
    const floor = await perRequest(numbers.map((number) => `/customers/${number}`));
    for (const [name, toWords] of Object.entries(questions)) {
      const figure = await perRequest(
        numbers.map((number) => `/search?q=${encodeURIComponent(toWords(number, toCustomer(number)))}`),
      );
      const question = `${prefix}find by ${name}, ${customers.toLocaleString("en")} customers`;
      const note = `${figure <= msMax ? "within" : "NOT within"} ${msMax} ms`;
      yield { question, figure, floor, unit: "ms", note };
    }
    const named = numbers.map(
      (number) => `/search?kind=customer&limit=50&q=${encodeURIComponent(toCustomer(number).name)}`,
    );
    const figure = await perRequest(named);
    yield { question: `${prefix}a name for an id, 50 candidates at most`, figure, floor, unit: "ms" };
  } finally {
    await end(server.child);
  }
}

const questions = {
  "phone number": (number) => toPhone(number),
  name: (_, { name }) => name,
  "a word that thousands have": (_, { name }) => name.split(" ").at(1) ?? name,
  contact: (_, { contact }) => contact.name,
  address: (_, { address }) => address.line_1,
  reference: (_, { reference_number }) => reference_number,
  "a name with a typing error": (_, { name }) => name.slice(0, 3) + name.slice(4),
};
