import { formatObjectName } from "../../src/durable/conversation-api.ts";
import orrery, { Conversation as Real } from "../../src/worker.ts";
import { withMeter } from "./door.ts";
import { counted } from "./rows.ts";

export * from "../../src/worker.ts";
// Takes the place of the one in the line above.
export const Conversation = counted(Real);

// oxlint-disable-next-line import/no-default-export -- a Worker entry
export default withMeter(orrery, (conversation) => formatObjectName("local", conversation));
