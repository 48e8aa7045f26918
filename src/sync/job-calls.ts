import { type Body, partsOf, type SnapshotRecord } from "./snapshot-record.ts";

/**
 * Creates a job in its final state with two exceptions, which later calls set: a completed job with a pickup_date
 * would create the pickup that the snapshot already has, and a deleted job takes no images or materials.
 */
export function toJobCreation({ id: _, location_id, ...job }: SnapshotRecord): { params: Body; body: Body } {
  const hasParts = ["images", "materials"].some((field) => partsOf(job, field).length > 0);
  const { images: __, materials: ___, ...body } = job;
  if (body.is_completed === true) delete body.pickup_date;
  if (hasParts) delete body.is_deleted;
  return { params: { location_id: location_id ?? null }, body };
}

/** The next PATCH on the way to the wanted job: some fields of a job can only change one after the other. */
export function toJobPatch(body: Body, wanted: SnapshotRecord, actual: SnapshotRecord): Body {
  if (actual.is_deleted === true && body.is_deleted === false) return { is_deleted: false };
  const patch = { ...body };
  // The service clears the driver's answer when a job moves to a truck, unless the answer is sent too.
  if ("truck_id" in body) {
    for (const field of ["dispatched_on", "is_acknowledged", "is_declined"])
      if (wanted[field] !== undefined) patch[field] = wanted[field];
  }
  if (body.is_completed === true) {
    patch.pickup_date = null;
    if (wanted.completed_on !== undefined) patch.completed_on = wanted.completed_on;
  }
  return patch;
}
