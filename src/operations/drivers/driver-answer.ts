import type { Driver } from "../../store/queries/drivers.ts";

/** A driver as every answer but that of drivers.get shows it: whom it may assign and dispatch to is shown there only. */
export function toDriverAnswer(driver: Driver) {
  return { ...driver, can_assign_to: null, can_dispatch_to: null };
}
