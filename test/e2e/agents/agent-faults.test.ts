// A1, I29: every fault of an agent ends in time in one `task_failed` with a readable reason and does not delay other
// threads. The faults are tested over service bindings and URLs, with and without streaming.

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Task } from "../../../src/protocol/plans/task-plan.ts";
import { startFaultyServer, type FaultyServer } from "../../dispatch/fixtures/faulty-server.ts";
import { FAULTS, LEGACY_CARD, ONLY_IN_1_0 } from "../../dispatch/fixtures/streaming-faults.ts";
import { UNARY_CARD, UNARY_FAULTS } from "../../dispatch/fixtures/unary-faults.ts";
import { startA2AAgent, type A2AAgent } from "../../support/a2a-agent.ts";
import { createHandoffReply, createPlanReply, type ModelReply } from "../../support/model-reply.ts";
import { startModelServer, type ModelServer } from "../../support/model-server.ts";
import { filterEvents, createApiUser, joinText, type ApiUser } from "../../support/api-user.ts";
import { findViolations } from "../../support/invariants.ts";
import { startRuntime, type Runtime } from "../../support/runtime.ts";
import { pickByLength } from "../../support/run-length.ts";

const TIMEOUT_MS = 6_000;
/** The longest limit, and time to report it on a busy machine. */
const END_MS = TIMEOUT_MS + 6_000;

type FaultCase = {
  readonly behaviour: string;
  readonly transport: "binding" | "url";
  readonly code: string | null;
  readonly fault: (typeof FAULTS)[string];
  readonly card: Readonly<Record<string, unknown>>;
  readonly kind: string;
};

const TRANSPORTS = ["binding", "url"] as const;
type FaultKind = {
  readonly kind: string;
  readonly faults: typeof FAULTS;
  readonly card: object;
  readonly hasCode: boolean;
  readonly transports: readonly FaultCase["transport"][];
};
const KINDS: readonly FaultKind[] = [
  { kind: "in a stream", faults: FAULTS, card: {}, hasCode: true, transports: TRANSPORTS },
  { kind: "without a stream", faults: UNARY_FAULTS, card: UNARY_CARD, hasCode: true, transports: TRANSPORTS },
  {
    kind: "in a stream of A2A 0.3",
    faults: listLegacyFaults(),
    card: LEGACY_CARD,
    hasCode: false,
    transports: ["url"],
  },
];

/** With A2A 0.3, some faults are detected earlier and reported as another fault. */
function listLegacyFaults(): typeof FAULTS {
  return Object.fromEntries(Object.entries(FAULTS).filter(([behaviour]) => !ONLY_IN_1_0.test(behaviour)));
}

const CASES: readonly FaultCase[] = KINDS.flatMap(({ kind, faults, card, hasCode, transports }) =>
  Object.entries(faults).flatMap(([behaviour, fault]) =>
    transports.map((transport) => ({
      behaviour,
      transport,
      code: hasCode ? fault.code : null,
      fault,
      kind,
      card: { ...card },
    })),
  ),
);

let model: ModelServer;
let runtime: Runtime;
let user: ApiUser;
let echoAgent: A2AAgent;
const servers: FaultyServer[] = [];

beforeAll(async () => {
  model = await startModelServer();
  echoAgent = await startA2AAgent("bystander", "1.0", async function* (query) {
    yield "You said ";
    yield query;
  });
  for (const [i, { fault, card }] of CASES.entries())
    servers.push(await startFaultyServer(fault.answer, { ...card, name: `bad-${i}` }));
  const bindingIndexes = CASES.flatMap(({ transport }, i) => (transport === "binding" ? [i] : []));
  const origins = bindingIndexes.map((i) => [`agent-bad-${i}.agent`, getOrigin(i)]);
  runtime = await startRuntime({
    vars: {
      OPENAI_BASE_URL: model.url,
      ALLOW_PRIVATE_AGENTS: "1",
      AGENT_TIMEOUT_SECONDS: String(TIMEOUT_MS / 1_000),
      AGENT_IDLE_SECONDS: "2",
      AGENT_MAX_BYTES: "100000",
      AGENT_MAX_EVENTS: "1000",
    },
    siblings: {
      "bad-agent": {
        config: "test/e2e/bad-agent/wrangler.toml",
        entry: "test/e2e/bad-agent/worker.ts",
        vars: { ORIGINS: JSON.stringify(Object.fromEntries(origins)) },
      },
    },
    agents: Object.fromEntries(bindingIndexes.map((i) => [`AGENT_BAD_${i}`, "bad-agent"])),
  });
  user = createApiUser(runtime.url);
  await register(echoAgent.url);
  for (const [i, { transport }] of CASES.entries()) if (transport === "url") await register(servers[i]?.url ?? "");
});
afterAll(async () => {
  await runtime.stop();
  await Promise.all([model, echoAgent, ...servers].map((one) => one.close()));
});

function getOrigin(i: number): string {
  return new URL(servers[i]?.url ?? "").origin;
}

async function register(url: string): Promise<void> {
  expect((await user.request("POST", "/api/v1/agents", { url })).status).toBe(201);
}

/** A short run takes every sixth fault. `test/dispatch` tests each of them with each transport, without a runtime. */
const SAMPLE = CASES.map((one, i) => ({ ...one, i })).filter(({ i }) => i % pickByLength(6, 1) === 0);

test.concurrent.each(SAMPLE)(
  "[A1] [I29] an agent over a $transport, $kind, that $behaviour fails its task in time and no other task",
  async ({ i, code, fault: { reasonPattern: says = /./ } }) => {
    const agent = `bad-${i}`;
    // A plan with a task of the faulty agent and one of a working agent, and another thread at the same time.
    const plan = createPlanReply({ query: "go", agent }, { query: "hello", agent: echoAgent.name });
    const mark = model.addScript({
      triage: createHandoffReply("needs_planning"),
      planner: plan,
      synthesis: { text: "One of two." },
    });
    const startedAt = Date.now();
    let endedAt = 0;
    const [failedThread, otherThread] = await Promise.all([
      user.sendAndWait(`Do ${mark}`).finally(() => (endedAt = Date.now())),
      user.sendAndWait("hello", { agent: echoAgent.name }),
    ]);
    expect(endedAt - startedAt).toBeLessThan(END_MS);
    expect(joinText(otherThread.frames)).toBe("You said hello");

    const [failure, ...more] = filterEvents(failedThread.frames, "task_failed");
    expect(more).toEqual([]);
    expect(failure?.agent_name).toBe(agent);
    expect(failure?.payload.content).toMatch(/^The .*agent.+/);
    expect(failure?.payload.content).not.toMatch(/secret|<h1>|127\.0\.0\.1|undefined|\[object/);
    if (code !== null) expect(failure?.payload.code).toBe(code);
    expect(failure?.payload.content).toMatch(says);
    expect(joinText(failedThread.frames, echoAgent.name)).toBe("You said hello");
    expect(failedThread.frames.at(-1)?.event).toBe("done");
    const { tasks } = await user.get<{ tasks: Task[] }>(`/api/v1/conversations/${failedThread.conversationId}/tasks`);
    expect(tasks.map(({ status, error }) => [status, error])).toEqual([
      ["failed", failure?.payload.content],
      ["completed", undefined],
    ]);

    const nextThread = await user.sendAndWait("hello", {
      agent: echoAgent.name,
      conversation: failedThread.conversationId,
    });
    expect(joinText(nextThread.frames)).toBe("You said hello");
    expect(findViolations(await user.history(failedThread.conversationId))).toEqual([]);
    // A request that may have started work is not repeated.
    const sent = servers[i]?.methods.filter((method) => /send|stream/i.test(method));
    expect(sent).toHaveLength(1);
  },
);

test.concurrent("[A1] [F119] the failure of an unreachable agent is reported in the language of the message", async () => {
  const stoppedAgent = await startA2AAgent("gone", "1.0", async function* () {});
  await register(stoppedAgent.url);
  await stoppedAgent.close();
  const { frames } = await user.sendAndWait("请把这件事做完", { agent: "gone" });
  const failures = filterEvents(frames, "task_failed").map(({ payload }) => payload);
  expect(failures).toEqual([{ content: "无法连接智能体。", code: "agent_unreachable" }]);
});

test.concurrent("[F119] a model failure of the runtime or of an agent is reported in the language of the message", async () => {
  const failing: ModelReply = { fault: { kind: "status", status: 401 } };
  const content = "模型服务拒绝了该密钥（HTTP 401），请检查 OPENAI_API_KEY。";
  const runtimeFailure = await user.sendAndWait(`请回答我的问题 ${model.addScript({ triage: failing })}`);
  expect(filterEvents(runtimeFailure.frames, "system_failed").map(({ payload }) => payload.content)).toEqual([content]);
  const mark = model.addScript({ "agent:assistant": failing });
  const agentFailure = await user.sendAndWait(`请回答我的问题 ${mark}`, { agent: "assistant" });
  expect(filterEvents(agentFailure.frames, "task_failed").map(({ payload }) => payload.content)).toEqual([content]);
});
