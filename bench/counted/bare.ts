import bare, { Conversation as Bare } from "../bare/worker.ts";
import { withMeter } from "./door.ts";
import { counted } from "./rows.ts";

export const Conversation = counted(Bare);

// oxlint-disable-next-line import/no-default-export -- a Worker entry
export default withMeter(bare, (conversation) => conversation);
