// The baseline: a conversation that is written by hand for one job and guarantees nothing else.

import type { Conversation } from "./conversation.ts";
import type { ModelEnv } from "./model.ts";

export { Conversation } from "./conversation.ts";

export type Env = ModelEnv & { readonly CONVERSATION: DurableObjectNamespace<Conversation> };

// oxlint-disable-next-line import/no-default-export -- a Worker entry
export default {
  async fetch(request, env) {
    const [conversation, resource] = new URL(request.url).pathname.split("/").slice(4);
    if (conversation === undefined && request.method === "POST") {
      const id = `conv-${crypto.randomUUID().replaceAll("-", "")}`;
      await env.CONVERSATION.getByName(id).create();
      return Response.json({ conversation_id: id }, { status: 201 });
    }
    if (conversation !== undefined && resource === "ws") return env.CONVERSATION.getByName(conversation).fetch(request);
    return new Response(null, { status: 404 });
  },
} satisfies ExportedHandler<Env>;
