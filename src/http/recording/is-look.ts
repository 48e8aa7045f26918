import { getRequest } from "../../operations/requests/get-request.ts";
import { tailRequests } from "../../operations/requests/tail-requests.ts";
import type { KnownCaller } from "../http-request.ts";

const looks: ReadonlySet<string> = new Set([getRequest.name, tailRequests.name]);

/** Whether a request looks at the requests themselves: who follows them would else see little but itself. */
export const isLook = ({ operation }: Pick<KnownCaller, "operation">): boolean => looks.has(operation);
