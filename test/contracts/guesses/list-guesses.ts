// All requests that can name something that a user owns, through every door. They are derived from the tables of the
// doors: operations, routes, methods of A2A and MCP, tools, resources and commands. A new entry of a table, or a new member
// that looks like a reference, is included or fails `listGuesses`.

import { clientCommandSchema } from "../../../src/protocol/wire/commands.ts";
import { createConversation, sendSocketCommand } from "../doors.ts";
import { listA2AGuesses } from "./a2a-guesses.ts";
import { sendHttp, type Guess } from "./guess.ts";
import { listHttpGuesses } from "./http-guesses.ts";
import { listMcpGuesses } from "./mcp-guesses.ts";
import { getMemberKind, listReferences } from "./references.ts";
import { listRpcGuesses } from "./rpc-guesses.ts";

/** Commands on a socket of the guesser's own conversation. */
function listSocketGuesses(): Guess[] {
  const valid: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    send: { message: "hello" },
    resume: { message: "20" },
    cancel: {},
  };
  return clientCommandSchema.options.flatMap((command) => {
    const type = [...command.shape.type.values][0] ?? "";
    if (valid[type] === undefined) throw new Error(`What is a valid command ${type}?`);
    return listReferences(command).top.flatMap((member): Guess[] => {
      const kind = getMemberKind(type, member);
      if (kind === null) return [];
      const send: Guess["send"] = async ({ setup, name, own }, ids) => {
        const conversation = member === "agent" ? await createConversation(setup, name) : own.conversation;
        return sendSocketCommand(setup, name, conversation, {
          type,
          id: `c-${member}`,
          ...valid[type],
          [member]: ids[kind],
        });
      };
      return [{ door: "socket", operation: `${member} of ${type}`, send }];
    });
  });
}

/** Runs of AG-UI with an answer: to a question in the conversation of the same owner, and in the guesser's own. */
function listAgUiGuesses(): Guess[] {
  return ["resolved", "cancelled"].flatMap((status) =>
    ["/agui", "/agui/assistant"].flatMap((path) =>
      [true, false].map((isForeign): Guess => ({
        door: "AG-UI",
        operation: `an answer at ${path}`,
        form: `${status}${isForeign ? "" : " in the own conversation"}`,
        send: (guesser, ids) => {
          const threadId = isForeign ? ids.conversation : guesser.own.conversation;
          const resume = [{ interruptId: ids.question, status, payload: "20" }];
          return sendHttp(guesser, {
            method: "POST",
            path,
            body: { threadId, runId: `r-${path}-${status}`, messages: [], resume },
          });
        },
      })),
    ),
  );
}

/** Further requests with references inside their bodies. */
const FURTHER: readonly Guess[] = [
  {
    door: "AG-UI",
    operation: "an agent",
    send: (guesser, { agent }) => sendHttp(guesser, { method: "POST", path: `/agui/${agent}`, body: {} }),
  },
  {
    door: "OpenAI",
    operation: "an item of a response",
    send: (guesser, { output }) => {
      const input = [
        { type: "item_reference", id: output },
        { role: "user", content: "20" },
      ];
      return sendHttp(guesser, { method: "POST", path: "/v1/responses", body: { model: "orrery", input } });
    },
  },
];

export function listGuesses(): Guess[] {
  return [
    ...listHttpGuesses(),
    ...listRpcGuesses(),
    ...listSocketGuesses(),
    ...listA2AGuesses(),
    ...listMcpGuesses(),
    ...listAgUiGuesses(),
    ...FURTHER,
  ];
}
