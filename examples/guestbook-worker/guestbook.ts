// An agent with a tool that needs approval. It keeps the guestbook in memory; a real agent would use storage.

import * as z from "zod";
import { serveAgent } from "../../src/agents/kit/serve.ts";
import { tool } from "../../src/agents/kit/tools/tool.ts";
import { withModel } from "../../src/agents/kit/with-model.ts";
import { toolAgent } from "../../src/agents/kit/tools/tool-agent.ts";

/** The entries by `call_id`: an approved call that is repeated after a crash adds only one entry. */
const entries = new Map<string, string>();

const readGuestbook = tool({
  name: "read_guestbook",
  read_only: true,
  description: "Reads the entries of the guestbook and counts them. 查看留言簿内容。",
  parameters: z.object({}),
  run: () => (entries.size === 0 ? "The guestbook is empty." : [...entries.values()].join("\n")),
});

const signGuestbook = tool({
  name: "sign_guestbook",
  description: "Signs the guestbook: writes a text that everyone can read. 在留言簿上留言、写下一段文字。",
  parameters: z.object({ text: z.string().trim().min(1).max(500).describe("What to write") }),
  needs_approval: true,
  run({ text }, { call_id }) {
    entries.set(call_id, text);
    return `The guestbook now says: ${text}`;
  },
});

export default serveAgent(
  withModel(
    toolAgent({
      card: {
        name: "guestbook",
        display_name: "Guestbook",
        description: "Keeps a guestbook that everyone can read and sign. 可以查看和签写的留言簿。",
        version: "1.0.0",
        skills: [
          {
            id: "guestbook",
            name: "Guestbook 留言簿",
            description: "Reads the guestbook and signs it.",
            tags: ["guestbook", "sign", "note", "留言", "留言簿"],
            examples: ["Sign the guestbook with “Greetings from Oslo”", "Read the guestbook", "查看留言簿"],
          },
        ],
      },
      instructions: "You keep a guestbook. Use the tools to read and sign it, and report the result.",
      tools: [readGuestbook, signGuestbook],
    }),
  ),
);
