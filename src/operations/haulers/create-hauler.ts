import { hashPassword } from "../../auth/passwords.ts";
import { defineOperation } from "../../core/operation.ts";
import { failure } from "../../errors/errors.ts";
import { CreateHaulerRequestModel, ThirdPartyHaulerModel } from "../../models/hauler.ts";

/** Anybody may sign up, so there is no actor and no tenant, and therefore no audit row. */
export const createHauler = defineOperation({
  name: "haulers.create",
  summary: "Sign up as a third-party hauler",
  description: "Refused with 403 unless the server's operator allows sign-ups.",
  route: "POST /haulers",
  body: CreateHaulerRequestModel,
  output: ThirdPartyHaulerModel,
  allow: "anyone",
  refuses: ["duplicate_record", "signup_disabled"],
  // From here on nothing knows the password itself.
  async prepare({ service }, { body, ...input }) {
    if (!service.allowsHaulerSignup)
      throw failure("signup_disabled", "This server takes no sign-ups of haulers.");
    return { ...input, body: { ...body, password: await hashPassword(service, String(body?.password)) } };
  },
  async run({ now, service, store }, { body }) {
    const username = body.username.normalize("NFC").toLowerCase();
    if (await store.haulers.isTaken(username)) {
      const detail = `There is a hauler with the username ${username} already.`;
      throw failure("duplicate_record", detail, "CreateHaulerRequestModel.username");
    }
    return store.haulers.insert({
      created_on: now,
      name: body.company_name,
      password_hash: body.password,
      username,
      uuid: service.makeUuid(),
    });
  },
});
