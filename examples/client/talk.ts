// Example of the typed client: sends a message, prints the name of each event, and finally prints the answers and the
// status of the tasks. The client reconnects automatically after a lost connection.
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
    if (frame.event === "done") printResult();
  },
});
await connection.send(process.argv[2] ?? "What is 12 * 34?");

/** Prints the view, which is the fold of all frames so far. */
function printResult(): void {
  const { items, plans } = connection.view;
  for (const { event, agent_name: agent, payload } of items.values())
    if (event === "message_chunk") console.log(`${agent}: ${String(payload["content"])}`);
  for (const { title, status } of plans.flatMap(({ tasks }) => tasks)) console.log(`${title}: ${status}`);
  connection.close();
}
