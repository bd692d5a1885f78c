// The typed client at work: says something, names what happens, and in the end tells what was answered and how the
// tasks went. A line that breaks meanwhile is taken up again by itself.
//
//   node scripts/run.mjs examples/client/talk.ts "What is 12 * 34, and what day is it today?"

import { connect } from "../../src/client/connect.ts";
import { createConversationsApi } from "../../src/client/conversations.ts";

const url = process.env["ORRERY_URL"] ?? "http://localhost:8787";
const { conversation_id: conversationId } = await createConversationsApi({ url }).createConversation();

const connection = connect({
  url,
  conversationId,
  onFrame: (frame) => {
    if (!("event" in frame)) return;
    console.log(`${frame.seq} ${frame.event}`);
    if (frame.event === "done") conclude();
  },
});
await connection.send(process.argv[2] ?? "What is 12 * 34?");

/** The view is what all frames so far come to. */
function conclude(): void {
  const { items, plans } = connection.view;
  for (const { event, agent_name: who, payload } of items.values())
    if (event === "message_chunk") console.log(`${who}: ${String(payload["content"])}`);
  for (const { title, status } of plans.flatMap(({ tasks }) => tasks)) console.log(`${title}: ${status}`);
  connection.close();
}
