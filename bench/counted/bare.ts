import bare, { Conversation as Bare } from "../bare/worker.ts";
import { counted } from "./rows.ts";
import { withMeter } from "./door.ts";

export class Conversation extends counted(Bare) {}

// oxlint-disable-next-line import/no-default-export -- a Worker entry
export default withMeter(bare, (conversation) => conversation);
