// Guesses over MCP: every tool and resource, and prompts, in the versions with a handshake and in the stateless one.

import { SHARED_METHODS } from "../../../src/http/mcp/mcp-methods.ts";
import { RESOURCE_FORMS } from "../../../src/http/mcp/mcp-resources.ts";
import { describeMcpTools } from "../../../src/http/mcp/mcp-tools.ts";
import type { OwnedIds } from "../owned-data.ts";
import { scriptAnswer } from "../setup.ts";
import { sendHttp, type Guess, type Kind } from "./guess.ts";
import { getMemberKind, LOOKS_LIKE_REFERENCE } from "./references.ts";

const STATELESS = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
};
type McpParams = Readonly<Record<string, unknown>>;

/** Creates a call of MCP in a version with a handshake, and in the stateless one. */
function createMcpGuesses(
  name: string,
  method: string,
  createParams: (ids: OwnedIds, own: OwnedIds, text: string) => McpParams,
): Guess[] {
  return [false, true].map((isStateless) => ({
    door: "MCP",
    operation: name,
    ...(isStateless ? { form: "stateless" } : {}),
    send: (guesser, ids) => {
      const params = createParams(ids, guesser.own, scriptAnswer(guesser.setup, "Hi.").message);
      const named = String(params["name"] ?? params["uri"]);
      const body = { jsonrpc: "2.0", id: 1, method, params: isStateless ? { ...params, _meta: STATELESS } : params };
      const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": method, "mcp-name": named };
      return sendHttp(guesser, { method: "POST", path: "/mcp", body, ...(isStateless ? { headers } : {}) });
    },
  }));
}

type McpTool = {
  readonly name: string;
  readonly inputSchema: { readonly properties?: Readonly<Record<string, { readonly enum?: readonly string[] }>> };
};

/** Valid arguments of the tools, one list per form. */
const TOOL_ARGUMENTS: Readonly<Record<string, readonly ((own: OwnedIds, text: string) => McpParams)[]>> = {
  ask: [(_, message) => ({ message })],
  run_agent: [(_, message) => ({ message, agent: "assistant" })],
  list_agents: [],
  schedules: ["pause", "resume", "run", "delete"].map((action) => () => ({ action })),
};

/** The kinds of the resources, by the host of their URI. */
const RESOURCE_KINDS: Readonly<Record<string, Kind>> = {
  conversations: "conversation",
  datasets: "dataset",
  pages: "page",
};

export function listMcpGuesses(): Guess[] {
  const handled = ["tools/call", "resources/read", "prompts/get"];
  const unknown = Object.keys(SHARED_METHODS).filter(
    (method) => !handled.includes(method) && !method.endsWith("/list"),
  );
  if (unknown.length > 0) throw new Error(`What do the parameters of ${unknown.join(", ")} name?`);
  const ofTools = (describeMcpTools() as readonly McpTool[]).flatMap(({ name, inputSchema }) => {
    const forms = TOOL_ARGUMENTS[name];
    if (forms === undefined) throw new Error(`What are valid arguments of ${name}?`);
    const members = Object.keys(inputSchema.properties ?? {}).filter((member) => LOOKS_LIKE_REFERENCE.test(member));
    return members.flatMap((member) => {
      const kind = getMemberKind(name, member);
      if (kind === null) return [];
      return forms.flatMap((createArguments, form) =>
        createMcpGuesses(
          `${member} of ${name}${forms.length > 1 ? ` ${form}` : ""}`,
          "tools/call",
          (ids, own, text) => {
            const more = member === "request_id" ? { conversation_id: own.conversation } : {};
            return { name, arguments: { ...createArguments(own, text), ...more, [member]: ids[kind] } };
          },
        ),
      );
    });
  });
  const ofResources = Object.values(RESOURCE_FORMS).flatMap(({ uriTemplate }) => {
    const kind = RESOURCE_KINDS[uriTemplate.split("/")[2] ?? ""];
    if (kind === undefined) throw new Error(`What does ${uriTemplate} name?`);
    return createMcpGuesses(uriTemplate, "resources/read", (ids) => ({ uri: uriTemplate.replace("{id}", ids[kind]) }));
  });
  return [
    ...ofTools,
    ...ofResources,
    ...createMcpGuesses("a prompt", "prompts/get", ({ template: name }) => ({ name, arguments: { seats: "3" } })),
    ...createMcpGuesses("an answer in the conversation", "tools/call", (ids) => ({
      name: "ask",
      arguments: { message: "20", conversation_id: ids.conversation, request_id: ids.question },
    })),
    ...createMcpGuesses("an elicited answer", "tools/call", ({ conversation, thread, question }) => ({
      name: "ask",
      arguments: { message: "x" },
      requestState: JSON.stringify({ conversation_id: conversation, thread_id: thread, request_id: question }),
      inputResponses: { question: { action: "accept", content: { answer: "20" } } },
    })),
  ];
}
