import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Listed } from "../../../client/call-types.ts";
import type { NewestVersion, OperationsAt } from "../../../client/wire.ts";
import { useBoard } from "../board-context.ts";

type AssetType = Listed<OperationsAt<NewestVersion>["asset-types.list"]>;

/** The asset types of a location that something new may be of; none while they are not known. */
export function useAssetTypes(location_id: number | null): ReadonlySignal<readonly AssetType[]> {
  const { session } = useBoard();
  const types = useSignal<readonly AssetType[]>([]);
  useEffect(() => {
    types.value = [];
    if (location_id === null) return;
    let isWanted = true;
    const query = { page_limit: 1000 };
    session.client
      .call("asset-types.list", { params: { location_id }, query })
      .then(({ results }) => {
        if (isWanted) types.value = results.filter(({ deleted }) => !deleted);
      })
      // What cannot be chosen can be left out.
      .catch(() => undefined);
    return () => {
      isWanted = false;
    };
  }, [location_id]);
  return types;
}
