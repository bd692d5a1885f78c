import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createDispatcher, type DispatcherOptions } from "../../src/dispatch/dispatcher.ts";
import type { Agent, AgentEvent } from "../../src/protocol/agents/agent.ts";
import { parseSettings } from "../../src/settings.ts";
import { collect, like, type Local, local, requestFor, scripted, textOf } from "../agents/fixtures/local.ts";
import { cardAt, sse, words } from "./fixtures/bad-server.ts";

const overHttp = { url: "/", protocolBinding: "HTTP+JSON", protocolVersion: "1.0" };
const legacy = { url: "/", protocolVersion: "0.3.0", supportedInterfaces: undefined };

describe("run on a URL", () => {
  let peers: Record<string, Local>;
  beforeEach(() => {
    peers = {};
    const reach = (input: string | URL | Request, init?: RequestInit) => {
      const url = String(input);
      const peer = peers[new URL(url).host];
      return peer === undefined ? Promise.reject(new TypeError("no route")) : peer.fetch(url, init);
    };
    vi.stubGlobal("fetch", reach);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  function runAt(url: string, request = requestFor("go", { user_id: "u-1", language: "en" })): Promise<AgentEvent[]> {
    return collect(agents.run(at(url), request, new AbortController().signal));
  }

  test("F85: two calls to one base URL reuse one client", async () => {
    const peer = local(scripted({ type: "text", text: "hi" }));
    peers["one.dev"] = peer;
    for (let i = 0; i < 2; i += 1)
      expect(textOf(await runAt("https://one.dev/.well-known/agent-card.json"))).toBe("hi");
    expect(peer.requests.map(({ method }) => method)).toEqual(["GET", "POST", "POST"]);
  });

  test("registered anew, an agent is reached where its card now says", async () => {
    const url = "https://moved.dev/.well-known/agent-card.json";
    let [place, changed_at] = ["https://moved.dev/old", 0];
    const own = createDispatcher({
      ...options,
      remote: async () => [{ card: at(url), url, enabled: true, changed_at }],
    });
    const run = () => collect(own.run(at(url), requestFor("go"), new AbortController().signal));
    peers["moved.dev"] = answering(({ url: asked, method }) => {
      if (method === "GET") return Response.json(cardAt(place));
      const error = { code: -32601, message: "Not here" };
      const message = { messageId: "m", role: "ROLE_AGENT", parts: [{ text: `at ${asked}` }] };
      return Response.json({ jsonrpc: "2.0", id: 1, ...(asked === place ? { result: { message } } : { error }) });
    });
    expect(textOf(await run())).toBe("at https://moved.dev/old");
    [place, changed_at] = ["https://moved.dev/new", Date.now() + 1];
    expect(textOf(await run())).toBe("at https://moved.dev/new");
  });

  test("moved elsewhere, an agent is lost for one run", async () => {
    const url = "https://away.dev/.well-known/agent-card.json";
    let place = "https://away.dev/old";
    peers["away.dev"] = answering(({ url: asked, method }) => {
      if (method === "GET") return Response.json(cardAt(place));
      const message = { messageId: "m", role: "ROLE_AGENT", parts: [{ text: `at ${asked}` }] };
      if (asked !== place) return new Response("Not here", { status: 404 });
      return Response.json({ jsonrpc: "2.0", id: 1, result: { message } });
    });
    expect(textOf(await runAt(url))).toBe("at https://away.dev/old");
    place = "https://away.dev/new";
    expect((await runAt(url)).at(-1)).toMatchObject({ type: "failed", code: "agent_protocol" });
    expect(textOf(await runAt(url))).toBe("at https://away.dev/new");
  });

  test("of addresses without end, those that were read last are remembered", async () => {
    const card = (n: number) => `https://${n}.many.dev/.well-known/agent-card.json`;
    const peer = local(scripted());
    for (let n = 0; n <= 300; n += 1) peers[`${n}.many.dev`] = peer;
    for (let n = 0; n <= 300; n += 1) await runAt(card(n));
    const readAgain = async (n: number): Promise<boolean> => {
      const before = peer.requests.length;
      await runAt(card(n));
      return peer.requests.slice(before).some(({ method }) => method === "GET");
    };
    expect(await readAgain(300)).toBe(false);
    expect(await readAgain(0)).toBe(true);
  });

  test("the person's id is not told to agents elsewhere", async () => {
    const peer = local(scripted());
    peers["two.dev"] = peer;
    await runAt("https://two.dev/.well-known/agent-card.json");
    expect(JSON.stringify(await bodyOf(peer))).not.toContain("u-1");
    expect(await bodyOf(peer)).toMatchObject({ params: { message: { metadata: { language: "en" } } } });
  });

  test("a card whose interface points into a private network is not followed", async () => {
    peers["three.dev"] = answering(() => Response.json(cardAt("https://169.254.169.254/")));
    expect(await runAt("https://three.dev/.well-known/agent-card.json")).toEqual([
      { type: "failed", reason: like(/./), code: "agent_unreachable" },
    ]);
  });

  test("a 0.3 agent is spoken to in 0.3", async () => {
    const peer = local(
      scripted({ type: "reasoning", text: "hm" }, { type: "text", text: "old" }, { type: "text", text: " friend" }),
    );
    const card = {
      name: "old",
      description: "",
      url: "https://legacy.dev/rpc",
      protocolVersion: "0.3.0",
      capabilities: { streaming: true },
      skills: [],
      defaultInputModes: [],
      defaultOutputModes: [],
      version: "1",
    };
    peers["legacy.dev"] = {
      ...peer,
      fetch: (url, init) => (init?.method === "POST" ? peer.fetch(url, init) : Promise.resolve(Response.json(card))),
    };
    const events = await runAt("https://legacy.dev/.well-known/agent-card.json");
    expect(await bodyOf(peer)).toMatchObject({
      method: "message/stream",
      params: { message: { kind: "message", messageId: "msg-1", parts: [{ kind: "text", text: "go" }] } },
    });
    expect(peer.requests[0]?.url).toBe("https://legacy.dev/rpc");
    expect(textOf(events)).toBe("old friend");
    expect(events.map(({ type }) => type).filter((type) => type !== "text")).toEqual([
      "accepted",
      "reasoning",
      "completed",
    ]);
  });

  test("a long task of an agent that answers at once is asked for until it ends", async () => {
    let asked = 0;
    const state = () => (asked < 3 ? "TASK_STATE_WORKING" : "TASK_STATE_COMPLETED");
    const task = () => ({
      id: "t",
      contextId: "c",
      status: { state: state() },
      artifacts: asked < 2 ? [] : [{ artifactId: "a", parts: [{ text: "x".repeat(asked) }] }],
    });
    peers["slow.dev"] = answering(async (request) => {
      if (request.method === "GET") return Response.json(cardAt("https://slow.dev/", { capabilities: {} }));
      const { method, id } = (await request.json()) as { method: string; id: number };
      asked += 1;
      return Response.json({ jsonrpc: "2.0", id, result: method === "SendMessage" ? { task: task() } : task() });
    });
    const events = await runAt("https://slow.dev/.well-known/agent-card.json");
    expect(textOf(events)).toBe("xxx");
    expect(events.at(-1)).toEqual({ type: "completed" });
  });

  test.each<[string, object, (task: object, isFirst: boolean) => unknown]>([
    ["1.0", {}, (task, isFirst) => ({ result: isFirst ? { task } : task })],
    ["1.0 over HTTP", { supportedInterfaces: [overHttp] }, (task, isFirst) => (isFirst ? { task } : task)],
    ["0.3", legacy, (task) => ({ result: { kind: "task", ...task } })],
  ])(
    "A1: the history of a task of %s does not come with each look at it, and count each time",
    async (how, more, worded) => {
      const host = `long-${how.replaceAll(/\W/g, "").toLowerCase()}.dev`;
      let looks = 0;
      peers[host] = answering(async (request) => {
        if (request.url.includes("well-known"))
          return Response.json({ ...cardAt(`https://${host}/`, { capabilities: {} }), ...more });
        const asked = `${request.url} ${request.method === "POST" ? await request.text() : ""}`;
        looks += 1;
        const state = looks < 3 ? "working" : "completed";
        const status = { state: how === "0.3" ? state : `TASK_STATE_${state.toUpperCase()}` };
        const history = /historyLength(=|":)0/.test(asked) ? "" : "x".repeat(400_000);
        const answer = worded({ id: "t", contextId: "c", status, as_long_as_its_history: history }, looks === 1);
        return Response.json({ ...(how.includes("HTTP") ? {} : { jsonrpc: "2.0", id: 1 }), ...(answer as object) });
      });
      expect((await runAt(`https://${host}/.well-known/agent-card.json`)).at(-1)).toEqual({ type: "completed" });
      expect(looks).toBe(3);
    },
  );

  test("a stream that ends before its task is taken up again by asking", async () => {
    peers["half.dev"] = answering(async (request) => {
      if (request.method === "GET") return Response.json(cardAt("https://half.dev/"));
      const { method, id } = (await request.json()) as { method: string; id: number };
      const done = {
        id: "t-1",
        contextId: "c",
        status: { state: "TASK_STATE_COMPLETED" },
        artifacts: [{ artifactId: "a", parts: [{ text: "all of it" }] }],
      };
      if (method === "GetTask") return Response.json({ jsonrpc: "2.0", id, result: done });
      return new Response(sse(words("all of")), { headers: { "content-type": "text/event-stream" } });
    });
    const events = await runAt("https://half.dev/.well-known/agent-card.json");
    expect(textOf(events)).toBe("all of it");
    expect(events.at(-1)).toEqual({ type: "completed" });
  });
});

const options: DispatcherOptions = {
  bindings: {},
  userId: "user-1",
  hosted: async () => [],
  remote: async () => [],
  disabled: async () => new Set(),
  settings: parseSettings({}),
  report: () => undefined,
};
const agents = createDispatcher(options);

function at(url: string): Agent {
  return {
    name: "remote",
    description: "",
    version: "1",
    skills: [],
    capabilities: { streaming: true, push_notifications: false },
    planner_passthrough: false,
    hidden: false,
    source: "url",
    url,
    enabled: true,
  };
}

function answering(answer: (request: Request) => Response | Promise<Response>): Local {
  return { requests: [], background: [], fetch: async (url, init) => answer(new Request(url, init)) };
}

async function bodyOf(agent: Local): Promise<unknown> {
  const request = agent.requests.find(({ method }) => method === "POST");
  return request?.clone().json();
}
