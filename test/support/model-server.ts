// A scripted chat completions endpoint on the loopback address.
//
// A test registers a script (the replies of each role) and puts the script's marker into its message. A request whose
// last user message contains the marker gets the reply of that script for its role (`x-orrery-role`) and its round. The
// reply depends only on the request, so that a runtime that crashed and asks again gets the same reply.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { sendReply, type ModelReply } from "./model-reply.ts";
import { readBody, listen } from "./net.ts";

export type ChatMessage = {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string | null;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly { readonly function: { readonly name: string; readonly arguments: string } }[];
};

type ChatRequest = {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
};

/** One request and its outcome. Times are in ms since the epoch. */
export type ModelCall = {
  readonly role: string;
  /** The marker of the script; empty if there is none. */
  readonly mark: string;
  /** The number of assistant messages after the user's last message. */
  readonly round: number;
  /** The number of earlier identical requests: above 0 this is a retry. */
  readonly attempt: number;
  readonly request: ChatRequest;
  readonly headers: Readonly<IncomingMessage["headers"]>;
  readonly startedAt: number;
  readonly endedAt: number | null;
  /**
   * `complete`: the reply was sent. `broken`: it failed as scripted. `left`: the client disconnected before the end.
   */
  readonly end: "complete" | "broken" | "left" | null;
};

/** The replies of one role: one for all rounds, one per round, or computed. */
export type RoleScript = ModelReply | readonly ModelReply[] | ((call: ModelCall) => ModelReply);
export type ModelScript = Readonly<Record<string, RoleScript>>;

export type ModelServer = {
  /** The value of `OPENAI_BASE_URL`. */
  readonly url: string;
  /** All requests, in order. */
  readonly calls: readonly ModelCall[];
  /** Registers a script. Returns its marker, which belongs into the messages. */
  addScript(script: ModelScript): string;
  /** Returns the calls of a script, optionally of one role. */
  getCalls(mark: string, role?: string): ModelCall[];
  close(): Promise<void>;
};

type MutableModelCall = { -readonly [Key in keyof ModelCall]: ModelCall[Key] };

const MARK = /⟦[a-z\d]+⟧/;

/** Writes a number in letters, for requests whose digits are values that a criterion must contain. */
export function toLetters(n: number): string {
  return n.toString().replaceAll(/\d/g, (digit) => "abcdefghij"[Number(digit)] ?? "");
}

/** `formatMark` formats the number of a script, from 1, for its marker. */
export async function startModelServer(formatMark: (n: number) => string = String): Promise<ModelServer> {
  const scripts = new Map<string, ModelScript>();
  const calls: MutableModelCall[] = [];
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = recordCall(await readRequest(request), request.headers, calls);
    calls.push(call);
    response.once("close", () => {
      call.endedAt ??= Date.now();
      call.end ??= "left";
    });
    const reply = pickReply(call, scripts.get(call.mark));
    if (reply === undefined) {
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: `Nothing is scripted for ${call.role} in ${call.mark}` } }));
      return;
    }
    const end = await sendReply(reply, response);
    call.end ??= end;
    call.endedAt ??= Date.now();
  }

  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/v1`,
    calls,
    addScript(script) {
      const mark = `⟦${formatMark(scripts.size + 1)}⟧`;
      scripts.set(mark, script);
      return mark;
    },
    getCalls: (mark, role) => calls.filter((call) => call.mark === mark && (role === undefined || call.role === role)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function recordCall(
  request: ChatRequest,
  headers: IncomingMessage["headers"],
  earlier: readonly ModelCall[],
): MutableModelCall {
  const role = decodeURIComponent(String(headers["x-orrery-role"] ?? ""));
  const lastUserIndex = request.messages.findLastIndex(
    ({ role: by, content }) => by === "user" && MARK.test(formatContent(content)),
  );
  const mark = MARK.exec(formatContent(request.messages[lastUserIndex]?.content))?.[0] ?? "";
  const round = request.messages.slice(lastUserIndex + 1).filter(({ role: by }) => by === "assistant").length;
  const attempt = earlier.filter((call) => call.role === role && call.mark === mark && call.round === round).length;
  return { role, mark, round, attempt, request, headers, startedAt: Date.now(), endedAt: null, end: null };
}

/** Returns the text of a message, or the JSON of its parts. */
function formatContent(content: unknown): string {
  return typeof content === "string" ? content : JSON.stringify(content ?? "");
}

function pickReply(call: ModelCall, script: ModelScript | undefined): ModelReply | undefined {
  const part = script?.[call.role];
  if (typeof part === "function") return part(call);
  return isRounds(part) ? part[Math.min(call.round, part.length - 1)] : part;
}

function isRounds(part: ModelReply | readonly ModelReply[] | undefined): part is readonly ModelReply[] {
  return Array.isArray(part);
}

async function readRequest(request: IncomingMessage): Promise<ChatRequest> {
  return JSON.parse(await readBody(request)) as ChatRequest;
}
