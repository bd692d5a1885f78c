// An agent whose tool asks before it acts. It keeps the book in memory; a real one would use storage.

import * as z from "zod";
import { serveAgent } from "../../src/agents/kit/serve.ts";
import { tool } from "../../src/agents/kit/tool.ts";
import { toolAgent } from "../../src/agents/kit/tool-agent.ts";

/** By the call that made it: an approved call that is repeated after a crash signs once. */
const entries = new Map<string, string>();

const readGuestbook = tool({
  name: "read_guestbook",
  read_only: true,
  description: "Reads what stands in the guestbook, and counts its entries. 查看留言簿内容。",
  parameters: z.object({}),
  run: () => (entries.size === 0 ? "The guestbook is empty." : [...entries.values()].join("\n")),
});

const signGuestbook = tool({
  name: "sign_guestbook",
  description: "Signs the guestbook: writes a text into it for everyone to see. 在留言簿上留言、写下一段文字。",
  parameters: z.object({ text: z.string().trim().min(1).max(500).describe("What to write") }),
  needs_approval: true,
  run({ text }, { call_id }) {
    entries.set(call_id, text);
    return `The guestbook now says: ${text}`;
  },
});

export default serveAgent(
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
    instructions: "You keep a guestbook. Use the tools to read and to sign it, and say what came of it.",
    tools: [readGuestbook, signGuestbook],
  }),
);
