import type { BoardAddress, BoardJob } from "./board.ts";

/** The customer's name, or its id where the name cannot be seen. It may hold characters that nobody sees. */
export function toCustomerText({ customer }: Pick<BoardJob, "customer">): string {
  return customer.name ?? `customer ${customer.id}`;
}

/** An address as a driver knows it: street and town; empty where it cannot be seen. */
export function toAddressLine(address: BoardAddress | null): string {
  return address ? `${address.line_1}, ${address.locality}` : "";
}
