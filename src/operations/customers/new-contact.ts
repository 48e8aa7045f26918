import type * as z from "zod";
import type { CreateCustomerContactModel } from "../../models/contact.ts";
import type { NewContact } from "../../store/schema/customer.ts";

/** What the store keeps of a new contact; {} makes an empty one (OP-31). */
export function toNewContact(sent: z.output<typeof CreateCustomerContactModel>): NewContact {
  return {
    email: sent.email ?? null,
    fax: sent.fax ?? null,
    name: sent.name ?? null,
    notify_on_acknowledged_request: sent.notify_on_acknowledged_request ?? false,
    notify_on_completed_request: sent.notify_on_completed_request ?? false,
    notify_on_dispatched_request: sent.notify_on_dispatched_request ?? false,
    notify_on_failed_request: sent.notify_on_failed_request ?? false,
    notify_on_new_request: sent.notify_on_new_request ?? false,
    number: sent.number ?? null,
  };
}
