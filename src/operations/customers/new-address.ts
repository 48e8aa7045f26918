import type * as z from "zod";
import type { CreateCustomerAddressModel } from "../../models/address.ts";
import type { NewAddress } from "../../store/schema/customer.ts";

/** What the store keeps of a new address; one that can be visited, so it is physical (OP-32). */
export function toNewAddress(sent: z.output<typeof CreateCustomerAddressModel>): NewAddress {
  return {
    ...sent,
    is_active: true,
    is_physical: true,
    line_2: sent.line_2 ?? null,
    line_3: sent.line_3 ?? null,
    line_4: sent.line_4 ?? null,
  };
}
