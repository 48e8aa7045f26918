import { defineOperation } from "../../core/operation.ts";
import { failure } from "../../errors/errors.ts";
import { MadeErasureModel } from "../../models/erasure.ts";
import { id } from "../../models/fields.ts";
import { toErasedWord } from "../../store/sweep-erasure.ts";
import { beginErasure } from "../erasures/begin-erasure.ts";
import { found, requireLocation, requireTenantWide } from "../records.ts";
import { requireAdministrator } from "./update-user.ts";

export const eraseUser = defineOperation({
  name: "users.erase",
  summary: "Erase a user's personal data everywhere, for good, and end its access",
  description:
    "The user and the driver it is stay with their ids, deactivated; names, numbers, addresses and places are replaced wherever they are kept, messages too. Its tokens in the tenant are revoked.",
  route: "POST /locations/{location_id}/users/{user_id}/erase",
  params: { location_id: id(), user_id: id() },
  output: MadeErasureModel,
  allow: ["Admin"],
  changes: { writes: "alone" },
  effect: "delete",
  extension: true,
  async run(context, { params }) {
    const { actor, changed, now, store } = context;
    requireTenantWide(actor);
    await requireLocation(context, params.location_id);
    const user = found(await store.users.findAt(params.location_id, params.user_id), "user", params.user_id);
    if (user.id === actor.user.id)
      throw failure("state_conflict", "You cannot erase yourself; another Admin can.");
    const word = toErasedWord(user.id);
    await requireAdministrator(context, user, { ...user, is_active: false });
    const { counts } = await store.erasures.eraseUser(user, word, now);
    const erasure = await beginErasure(context, { id: user.id, type: "User" }, counts);
    changed({ type: "User", action: "erased", id: user.id, before: null, after: { id: user.id } });
    return erasure;
  },
});
