// A model that says what a test tells it: an endpoint of chat completions on the loopback address.
//
// A test writes down an act, which is what each role answers, and puts the act's mark into its message. Whoever
// asks with that mark in the last words of the person (`x-orrery-role` tells who) gets the answer that stands
// in the act for that role and that round of the talk. What stands in an act depends on nothing but the
// request, so it also holds for a runtime that died and asks again.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { speak, type Reply } from "./model-reply.ts";
import { bodyOf, listen } from "./net.ts";

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

/** One request and what became of it. Times are in milliseconds since the epoch. */
export type ModelCall = {
  readonly role: string;
  /** The mark of the act that it belongs to; empty when there is none. */
  readonly mark: string;
  /** How many answers of the model the talk holds since the person's last words. */
  readonly round: number;
  /** How often exactly this had been asked before: above 0, somebody tries again. */
  readonly attempt: number;
  readonly request: ChatRequest;
  readonly headers: Readonly<IncomingMessage["headers"]>;
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** `complete`: all was sent. `broken`: as the script wanted. `left`: the asker went away before the end. */
  readonly end: "complete" | "broken" | "left" | null;
};

/** The answers of one role: always the same, one per round, or worked out. */
export type Part = Reply | readonly Reply[] | ((call: ModelCall) => Reply);
export type Act = Readonly<Record<string, Part>>;

export type ModelServer = {
  /** For `OPENAI_BASE_URL`. */
  readonly url: string;
  /** Everything that was asked, in the order in which it came. */
  readonly calls: readonly ModelCall[];
  /** Takes an act down. Returns its mark, to be put into messages. */
  act(act: Act): string;
  /** The calls of an act, of one role if one is named. */
  callsOf(mark: string, role?: string): ModelCall[];
  close(): Promise<void>;
};

type Growing = { -readonly [Key in keyof ModelCall]: ModelCall[Key] };

const MARK = /⟦\d+⟧/;

export async function startModelServer(): Promise<ModelServer> {
  const acts = new Map<string, Act>();
  const calls: Growing[] = [];
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = begin(await read(request), request.headers, calls);
    calls.push(call);
    response.once("close", () => {
      call.endedAt ??= Date.now();
      call.end ??= "left";
    });
    const reply = replyTo(call, acts.get(call.mark));
    if (reply === undefined) {
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: `Nothing is scripted for ${call.role} in ${call.mark}` } }));
      return;
    }
    const end = await speak(reply, response);
    call.end ??= end;
    call.endedAt ??= Date.now();
  }

  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/v1`,
    calls,
    act(act) {
      const mark = `⟦${acts.size + 1}⟧`;
      acts.set(mark, act);
      return mark;
    },
    callsOf: (mark, role) => calls.filter((call) => call.mark === mark && (role === undefined || call.role === role)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function begin(request: ChatRequest, headers: IncomingMessage["headers"], earlier: readonly ModelCall[]): Growing {
  const role = decodeURIComponent(String(headers["x-orrery-role"] ?? ""));
  const said = request.messages.findLastIndex(({ role: by, content }) => by === "user" && MARK.test(content ?? ""));
  const mark = MARK.exec(request.messages[said]?.content ?? "")?.[0] ?? "";
  const round = request.messages.slice(said + 1).filter(({ role: by }) => by === "assistant").length;
  const attempt = earlier.filter((call) => call.role === role && call.mark === mark && call.round === round).length;
  return { role, mark, round, attempt, request, headers, startedAt: Date.now(), endedAt: null, end: null };
}

function replyTo(call: ModelCall, act: Act | undefined): Reply | undefined {
  const part = act?.[call.role];
  if (typeof part === "function") return part(call);
  return isRounds(part) ? part[Math.min(call.round, part.length - 1)] : part;
}

function isRounds(part: Reply | readonly Reply[] | undefined): part is readonly Reply[] {
  return Array.isArray(part);
}

async function read(request: IncomingMessage): Promise<ChatRequest> {
  return JSON.parse(await bodyOf(request)) as ChatRequest;
}
