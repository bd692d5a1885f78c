export { Conversation } from "./durable/conversation.ts";
export { Assistant } from "./agents/assistant/agent.ts";

export default { fetch: () => new Response("not yet", { status: 404 }) };
