import bare, { Conversation as BareConversation } from "../bare/worker.ts";
import { withMeterRoute } from "./meter-route.ts";
import { withStorageMeter } from "./storage-meter.ts";

export const Conversation = withStorageMeter(BareConversation);

// oxlint-disable-next-line import/no-default-export -- a Worker entry
export default withMeterRoute(bare, (conversation) => conversation);
