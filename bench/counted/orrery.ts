import { formatObjectName } from "../../src/durable/conversation-api.ts";
import orrery, { Conversation as ConversationObject } from "../../src/worker.ts";
import { withMeterRoute } from "./meter-route.ts";
import { withStorageMeter } from "./storage-meter.ts";

export * from "../../src/worker.ts";
// Replaces the class of the export above.
export const Conversation = withStorageMeter(ConversationObject);

// oxlint-disable-next-line import/no-default-export -- a Worker entry
export default withMeterRoute(orrery, (conversation) => formatObjectName("local", conversation));
