// The yardstick: what a conversation costs when it is written by hand for one job and promises nothing more.

import type { Conversation } from "./conversation.ts";
import type { ModelEnv } from "./model.ts";

export { Conversation } from "./conversation.ts";

export type Env = ModelEnv & { readonly CONVERSATION: DurableObjectNamespace<Conversation> };

// oxlint-disable-next-line import/no-default-export -- a Worker entry
export default {
  async fetch(request, env) {
    const [conversation, door] = new URL(request.url).pathname.split("/").slice(4);
    if (conversation === undefined && request.method === "POST") {
      const id = `conv-${crypto.randomUUID().replaceAll("-", "")}`;
      await env.CONVERSATION.getByName(id).create();
      return Response.json({ conversation_id: id }, { status: 201 });
    }
    if (conversation !== undefined && door === "ws") return env.CONVERSATION.getByName(conversation).fetch(request);
    return new Response(null, { status: 404 });
  },
} satisfies ExportedHandler<Env>;
