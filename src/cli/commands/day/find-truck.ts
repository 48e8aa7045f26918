import { failure } from "../../../errors/errors.ts";
import { didYouMean } from "../../../errors/nearest.ts";
import type { Board, BoardLocation, BoardTruck } from "./board.ts";

/**
 * The truck of a board that a word names: by its id, its name, or a part of its name that no other has. Throws
 * `record_not_found` when there is none, a usage error when there are several.
 */
export function findTruck(
  { locations }: Board,
  word: string,
): { location: BoardLocation; truck: BoardTruck } {
  const all = locations.flatMap((location) => location.trucks.map((truck) => ({ location, truck })));
  const wanted = fold(word);
  const tests: ((truck: BoardTruck) => boolean)[] = [
    ({ id }) => String(id) === word,
    ({ name }) => fold(name) === wanted,
    ({ name }) => fold(name).includes(wanted),
  ];
  const found = tests.map((test) => all.filter(({ truck }) => test(truck))).find(({ length }) => length > 0);
  const [first, second] = found ?? [];
  if (!first) {
    const near = didYouMean(
      word,
      all.map(({ truck }) => truck.name),
    );
    throw failure("record_not_found", `No truck is called ${JSON.stringify(word)}.${near}`);
  }
  if (!second) return first;
  const names = (found ?? []).map(({ truck: { id, name } }) => `${id} ${name}`).join(", ");
  throw failure("usage", `${JSON.stringify(word)} may mean several trucks: ${names}.`);
}

const fold = (text: string) => text.toLocaleLowerCase("en");
