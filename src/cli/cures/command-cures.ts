import type { CommandName } from "../../errors/cure.ts";

/** How the terminal tells of a command that cures: it goes on with an error's detail, which comes without its full stop. */
export const commandCures: Readonly<Record<CommandName, (detail: string) => string>> = {
  doctor: (detail) =>
    `${detail}: \`dispatch-cli doctor\` says where, \`dispatch-cli restore\` brings a backup back.`,
  "doctor --full": (detail) => `${detail}. \`dispatch-cli doctor --full\` tells more.`,
  "hooks resume": (detail) =>
    `${detail}: \`dispatch-cli hooks resume\` shows what would be sent, and does it.`,
  init: (detail) => `${detail}; \`dispatch-cli init\` makes one.`,
  "init --sandbox": (detail) =>
    `${detail}. \`init --sandbox\` and \`demo\` make stores whose clock can be moved.`,
  "store policy": (detail) => `${detail}: \`dispatch-cli store policy --private-hooks allow\` does.`,
  "tenants update": (detail) => `${detail} with \`dispatch-cli tenants update\`.`,
  "users list": (detail) =>
    `${detail}; \`dispatch-cli users list --location <id> -o json\` shows those of a tenant.`,
};
