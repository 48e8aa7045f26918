import { expect, it } from "vitest";
import { customerCells, toPlace } from "../../../src/cli/presentation/cells.ts";
import { plainView } from "../../../src/cli/presentation/view.ts";

const { address, contact } = customerCells;

it("shows the first active address, as street and town", () => {
  const addresses = [
    { id: 1, is_active: false, line_1: "Old Street 1", locality: "Łódź" },
    { id: 2, is_active: true, line_1: "1745 T Street SE", locality: "Washington" },
  ];
  expect(address?.({ addresses }, plainView)).toBe("1745 T Street SE, Washington");
  expect(toPlace(addresses[0])).toBe("Old Street 1, Łódź");
});

it("shows the contact to call with the phone number, or else the e-mail address", () => {
  const person = { email: "dana@example.com", name: "Dana", number: null };
  expect(contact?.({ contacts: [{ ...person, number: "555-0100" }] }, plainView)).toBe("555-0100, Dana");
  expect(contact?.({ contacts: [person] }, plainView)).toBe("dana@example.com, Dana");
});

it("shows a dash for a customer without addresses and contacts", () => {
  expect([
    address?.({ addresses: [] }, plainView),
    contact?.({ contacts: [{ name: null }] }, plainView),
  ]).toEqual(["", ""]);
  expect(toPlace(undefined)).toBe("");
});
