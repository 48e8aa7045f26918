export const jobTextLengths = {
  customer_notes: 2048,
  dispatcher_notes: 2048,
  driver_notes: 2048,
  fail_reason: 64,
  flags: 64,
  invoice_notes: 2048,
  reference_number: 256,
} as const;
