import { type Body, partsOf, type SnapshotRecord } from "./snapshot-record.ts";

/**
 * A job is made in the state that it has. Completed with a pickup_date it would make its pickup, which the snapshot
 * holds already; and on a deleted one nothing can be hung. What is held back here is what differs afterwards.
 */
export function toJobCreation({ id: _, location_id, ...job }: SnapshotRecord): { params: Body; body: Body } {
  const hasParts = ["images", "materials"].some((field) => partsOf(job, field).length > 0);
  const { images: __, materials: ___, ...body } = job;
  if (body.is_completed === true) delete body.pickup_date;
  if (hasParts) delete body.is_deleted;
  return { params: { location_id: location_id ?? null }, body };
}

/** The next PATCH on the way to the job that is wanted: its life allows some things only one after the other. */
export function toJobPatch(body: Body, wanted: SnapshotRecord, actual: SnapshotRecord): Body {
  if (actual.is_deleted === true && body.is_deleted === false) return { is_deleted: false };
  const patch = { ...body };
  // Being put on a truck clears what the driver said of it, unless that is sent too.
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
