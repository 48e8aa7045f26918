import type * as z from "zod";
import { CreateCustomerContactModel, notifyDefaults } from "../../models/contact.ts";
import type { NewContact } from "../../store/schema/customer.ts";
import { toNewFields } from "../record-changes.ts";

/** What the store keeps of a new contact; {} makes an empty one (OP-31). */
export function toNewContact(sent: z.output<typeof CreateCustomerContactModel>): NewContact {
  return toNewFields(CreateCustomerContactModel, sent, notifyDefaults);
}
