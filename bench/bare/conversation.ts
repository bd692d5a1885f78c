// A hand-written conversation: it receives messages over a WebSocket and runs triage, a plan, concurrent tasks and a
// summary. It stores all events in SQLite and sends them to all sockets, one frame per chunk of a model stream.

import { DurableObject } from "cloudflare:workers";
import { completeChat, type Message, type ModelEnv } from "./model.ts";

type Event = { readonly event: string; readonly data: Readonly<Record<string, unknown>> };
type Command = { readonly type: "send"; readonly id: string; readonly message: string };
type Plan = {
  readonly tasks: readonly {
    readonly id: string;
    readonly title: string;
    readonly query: string;
    readonly agent_name: string;
  }[];
};
type StoredEvent = { readonly event: string; readonly data: { readonly payload?: { readonly content?: string } } };

/** Limits of the history in a prompt. They equal those of the runtime. */
const MAX_EXCHANGES = 5;
const MAX_CHARS = 4_000;

export class Conversation extends DurableObject<ModelEnv> {
  readonly #sql = this.ctx.storage.sql;
  readonly #name = this.ctx.id.name ?? "";
  readonly #sockets = new Set(this.ctx.getWebSockets());
  #seq: number;

  constructor(ctx: DurableObjectState, env: ModelEnv) {
    super(ctx, env);
    this.#sql.exec(`CREATE TABLE IF NOT EXISTS event (seq INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT`);
    this.#seq = Number(this.#sql.exec(`SELECT coalesce(max(seq), 0) AS seq FROM event`).one()["seq"]);
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
  }

  create(): void {
    this.#publish("conversation_started", {});
  }

  override fetch(request: Request): Response {
    const after = Number(new URL(request.url).searchParams.get("after") ?? "0");
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    server.send(
      JSON.stringify({ type: "ready", conversation: { conversation_id: this.#name }, seq: this.#seq, pending: [] }),
    );
    for (const { body } of this.#sql.exec<{ body: string }>(`SELECT body FROM event WHERE seq > ? ORDER BY seq`, after))
      server.send(body);
    server.send(JSON.stringify({ type: "caught_up", seq: this.#seq }));
    this.#sockets.add(server);
    return new Response(null, { status: 101, webSocket: client });
  }

  override async webSocketMessage(socket: WebSocket, text: string): Promise<void> {
    const { id, message } = JSON.parse(text) as Command;
    const thread = `th-${crypto.randomUUID().replaceAll("-", "")}`;
    const history = this.#readHistory();
    this.#publish("thread_started", { thread_id: thread, role: "user", payload: { content: message } });
    socket.send(JSON.stringify({ type: "ack", id, thread_id: thread, seq: this.#seq }));
    const tokens = await this.#runTurn(thread, message, history);
    this.#publish("done", { thread_id: thread, role: "system", metadata: { usage: { tokens } } });
  }

  override webSocketClose(socket: WebSocket): void {
    this.#sockets.delete(socket);
    socket.close(1000);
  }

  async #runTurn(thread: string, message: string, history: readonly Message[]): Promise<number> {
    const triage = await this.#streamAnswer(thread, "SuperAgent", "triage", [
      ...history,
      { role: "user", content: message },
    ]);
    const decision =
      triage.call === "" ? { decision: "answer" } : (JSON.parse(triage.call) as { enriched_query: string });
    this.#publish("triage_completed", { thread_id: thread, role: "agent", payload: decision });
    if (!("enriched_query" in decision)) return triage.tokens;
    const messages: Message[] = [...history, { role: "user", content: decision.enriched_query }];
    const completion = await completeChat(this.env, "planner", messages, () => undefined);
    const plan = JSON.parse(completion.call) as Plan;
    this.#publish("plan_created", { thread_id: thread, role: "agent", payload: { plan } });
    const results = await Promise.all(
      plan.tasks.map(async ({ title, query, agent_name }) => {
        const task = `task-${crypto.randomUUID().replaceAll("-", "")}`;
        this.#publish("task_started", { thread_id: thread, task_id: task, role: "agent", agent_name });
        const answer = await this.#streamAnswer(
          thread,
          agent_name,
          `agent:${agent_name}`,
          [{ role: "user", content: query }],
          task,
        );
        this.#publish("task_completed", { thread_id: thread, task_id: task, role: "agent", agent_name });
        return { title, result: answer.text, tokens: answer.tokens };
      }),
    );
    const content = `${message}\n\nResults:\n${JSON.stringify(results)}`;
    const summary = await this.#streamAnswer(thread, "SuperAgent", "synthesis", [{ role: "user", content }]);
    return [triage, completion, ...results, summary].reduce((sum, { tokens }) => sum + tokens, 0);
  }

  /** Makes a model call. Sends its text to the sockets as it arrives and stores it when it is complete. */
  async #streamAnswer(thread: string, agent: string, role: string, messages: readonly Message[], task = thread) {
    const item = `item-${crypto.randomUUID().replaceAll("-", "")}`;
    const fields = { item_id: item, thread_id: thread, task_id: task, role: "agent", agent_name: agent };
    const answer = await completeChat(this.env, role, messages, (content) => {
      this.#broadcast(this.#createFrame({ event: "message_chunk", data: { ...fields, payload: { content } } }));
    });
    if (answer.text !== "")
      this.#store(
        this.#createFrame({ event: "message_chunk", data: { ...fields, payload: { content: answer.text } } }),
      );
    return answer;
  }

  #publish(event: string, data: Event["data"]): void {
    const frame = this.#createFrame({ event, data });
    this.#store(frame);
    this.#broadcast(frame);
  }

  #createFrame({ event, data }: Event): string {
    return JSON.stringify({ seq: ++this.#seq, event, data: { conversation_id: this.#name, ...data } });
  }

  #store(frame: string): void {
    this.#sql.exec(`INSERT INTO event (seq, body) VALUES (?, ?)`, this.#seq, frame);
  }

  #broadcast(frame: string): void {
    for (const socket of this.#sockets) socket.send(frame);
  }

  #readHistory(): Message[] {
    const exchanges: Message[][] = [];
    let answer = "";
    for (const { body } of this.#sql.exec<{ body: string }>(`SELECT body FROM event ORDER BY seq DESC`)) {
      if (exchanges.length >= MAX_EXCHANGES) break;
      const { event, data } = JSON.parse(body) as StoredEvent;
      const content = data.payload?.content ?? "";
      if (event === "message_chunk") answer = content + answer;
      if (event !== "thread_started") continue;
      exchanges.push([
        { role: "user", content: content.slice(0, MAX_CHARS) },
        { role: "assistant", content: answer.slice(0, MAX_CHARS) },
      ]);
      answer = "";
    }
    return exchanges.toReversed().flat();
  }
}
