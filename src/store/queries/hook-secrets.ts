import type { TenantAccess } from "../access/access.ts";
import { keyIdOf, secretColumns, secretKeyMissing, type Vault } from "../secrets/vault.ts";

export function hookSecretQueries(access: TenantAccess, vault: Vault) {
  return {
    /**
     * Converts all secrets to the store's current form. Returns the number of changed ones. Throws secret_key_missing
     * when one cannot be opened.
     */
    async reseal(): Promise<number> {
      const seal = await vault.sealer();
      const hooks = access
        .selectUnseen("hooks")
        .select(["id", ...secretColumns])
        .orderBy("id");
      let changed = 0;
      for (const { id, ...stored } of await hooks.execute()) {
        const written = { ...stored };
        for (const column of secretColumns) {
          const before = stored[column];
          if (before === null) continue;
          const place = { tenantId: access.tenantId, hookId: id, column };
          const text = vault.open(place, before);
          if (text === null) throw secretKeyMissing(keyIdOf(before));
          const after = seal === null ? text : seal(place, text);
          if (keyIdOf(after) === keyIdOf(before)) continue;
          written[column] = after;
          changed += 1;
        }
        if (secretColumns.every((column) => written[column] === stored[column])) continue;
        await access.update("hooks").set(written).where("id", "=", id).execute();
      }
      return changed;
    },
  };
}
