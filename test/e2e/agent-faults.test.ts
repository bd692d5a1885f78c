// A1, I29: whatever an agent does wrong ends in one `task_failed` with a reason that a person can read, in time, and
// holds up nobody else: every way to misbehave, over a service binding and over a URL, with a stream and without.

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Task } from "../../src/protocol/plans/task-plan.ts";
import { badServer, FAULTS, LEGACY_CARD, ONLY_IN_1_0, type BadServer } from "../dispatch/fixtures/bad-server.ts";
import { PLAIN_CARD, PLAIN_FAULTS } from "../dispatch/fixtures/plain-faults.ts";
import { startA2AAgent, type A2AAgent } from "../support/a2a-agent.ts";
import { handoff, planOf, type Reply } from "../support/model-reply.ts";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { eventsOf, personAt, textOf, type Person } from "../support/person.ts";
import { breachesIn } from "../support/rules.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

const TIMEOUT_MS = 4_000;
/** The longest of the limits, and time to tell of it on a busy machine. */
const END_MS = TIMEOUT_MS + 3_500;

type Case = {
  readonly how: string;
  readonly transport: "binding" | "url";
  readonly code: string | null;
  readonly fault: (typeof FAULTS)[string];
  readonly card: Readonly<Record<string, unknown>>;
  readonly kind: string;
};

const TRANSPORTS = ["binding", "url"] as const;
type Kind = {
  readonly kind: string;
  readonly faults: typeof FAULTS;
  readonly card: object;
  readonly hasCode: boolean;
  readonly transports: readonly Case["transport"][];
};
const KINDS: readonly Kind[] = [
  { kind: "in a stream", faults: FAULTS, card: {}, hasCode: true, transports: TRANSPORTS },
  { kind: "without a stream", faults: PLAIN_FAULTS, card: PLAIN_CARD, hasCode: true, transports: TRANSPORTS },
  { kind: "in a stream of A2A 0.3", faults: legacyFaults(), card: LEGACY_CARD, hasCode: false, transports: ["url"] },
];

/** In 0.3 some of them are noticed sooner, as another kind of nonsense. */
function legacyFaults(): typeof FAULTS {
  return Object.fromEntries(Object.entries(FAULTS).filter(([how]) => !ONLY_IN_1_0.test(how)));
}

const CASES: readonly Case[] = KINDS.flatMap(({ kind, faults, card, hasCode, transports }) =>
  Object.entries(faults).flatMap(([how, fault]) =>
    transports.map((transport) => ({
      how,
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
let person: Person;
let parrot: A2AAgent;
const servers: BadServer[] = [];

beforeAll(async () => {
  model = await startModelServer();
  parrot = await startA2AAgent("bystander", "1.0", async function* (query) {
    yield "You said ";
    yield query;
  });
  for (const [i, { fault, card }] of CASES.entries())
    servers.push(await badServer(fault.answer, { ...card, name: `bad-${i}` }));
  const bound = CASES.flatMap(({ transport }, i) => (transport === "binding" ? [i] : []));
  const origins = bound.map((i) => [`agent-bad-${i}.agent`, originOf(i)]);
  runtime = await startRuntime({
    vars: {
      OPENAI_BASE_URL: model.url,
      ALLOW_PRIVATE_AGENTS: "1",
      AGENT_TIMEOUT_SECONDS: String(TIMEOUT_MS / 1_000),
      AGENT_IDLE_SECONDS: "1",
      AGENT_MAX_BYTES: "200000",
      AGENT_MAX_EVENTS: "1000",
    },
    beside: {
      "bad-agent": {
        config: "test/e2e/bad-agent/wrangler.toml",
        entry: "test/e2e/bad-agent/worker.ts",
        vars: { ORIGINS: JSON.stringify(Object.fromEntries(origins)) },
      },
    },
    agents: Object.fromEntries(bound.map((i) => [`AGENT_BAD_${i}`, "bad-agent"])),
  });
  person = personAt(runtime.url);
  await register(parrot.url);
  for (const [i, { transport }] of CASES.entries()) if (transport === "url") await register(servers[i]?.url ?? "");
});
afterAll(async () => {
  await runtime.stop();
  await Promise.all([model, parrot, ...servers].map((one) => one.close()));
});

function originOf(i: number): string {
  return new URL(servers[i]?.url ?? "").origin;
}

async function register(url: string): Promise<void> {
  expect((await person.request("POST", "/api/v1/agents", { url })).status).toBe(201);
}

test.concurrent.each(CASES.map((one, i) => ({ ...one, i })))(
  "[A1] [I29] an agent over a $transport, $kind, that $how",
  async ({ i, code, fault: { says = /./ } }) => {
    const agent = `bad-${i}`;
    // A task on the bad agent beside one on a good agent; and somebody else at the same time.
    const plan = planOf({ query: "go", agent }, { query: "hello", agent: parrot.name });
    const mark = model.act({ triage: handoff("needs_planning"), planner: plan, synthesis: { text: "One of two." } });
    const startedAt = Date.now();
    let endedAt = 0;
    const [failed, fine] = await Promise.all([
      person.say(`Do ${mark}`).finally(() => (endedAt = Date.now())),
      person.say("hello", { agent: parrot.name }),
    ]);
    expect(endedAt - startedAt).toBeLessThan(END_MS);
    expect(textOf(fine.frames)).toBe("You said hello");

    const [failure, ...more] = eventsOf(failed.frames, "task_failed");
    expect(more).toEqual([]);
    expect(failure?.agent_name).toBe(agent);
    expect(failure?.payload.content).toMatch(/^The .*agent.+/);
    expect(failure?.payload.content).not.toMatch(/secret|<h1>|127\.0\.0\.1|undefined|\[object/);
    if (code !== null) expect(failure?.payload.code).toBe(code);
    expect(failure?.payload.content).toMatch(says);
    expect(textOf(failed.frames, parrot.name)).toBe("You said hello");
    expect(failed.frames.at(-1)?.event).toBe("done");
    const { tasks } = await person.get<{ tasks: Task[] }>(`/api/v1/conversations/${failed.conversationId}/tasks`);
    expect(tasks.map(({ status, error }) => [status, error])).toEqual([
      ["failed", failure?.payload.content],
      ["completed", undefined],
    ]);

    const again = await person.say("hello", { agent: parrot.name, in: failed.conversationId });
    expect(textOf(again.frames)).toBe("You said hello");
    expect(breachesIn(await person.history(failed.conversationId))).toEqual([]);
    // What may have been begun is not begun again behind the person's back.
    const sent = servers[i]?.methods.filter((method) => /send|stream/i.test(method));
    expect(sent).toHaveLength(1);
  },
);

test.concurrent("[A1] [F119] an agent that has gone is told of in the language of the message", async () => {
  const gone = await startA2AAgent("gone", "1.0", async function* () {});
  await register(gone.url);
  await gone.close();
  const { frames } = await person.say("请把这件事做完", { agent: "gone" });
  const failures = eventsOf(frames, "task_failed").map(({ payload }) => payload);
  expect(failures).toEqual([{ content: "无法连接智能体。", code: "agent_unreachable" }]);
});

test.concurrent("[F119] and so is a model that fails the runtime, or an agent", async () => {
  const failing: Reply = { trouble: { kind: "status", status: 401 } };
  const content = "模型服务不接受该密钥（状态 401）。请检查 OPENAI_API_KEY。";
  const ours = await person.say(`请回答我的问题 ${model.act({ triage: failing })}`);
  expect(eventsOf(ours.frames, "system_failed").map(({ payload }) => payload.content)).toEqual([content]);
  const mark = model.act({ "agent:assistant": failing });
  const theirs = await person.say(`请回答我的问题 ${mark}`, { agent: "assistant" });
  expect(eventsOf(theirs.frames, "task_failed").map(({ payload }) => payload.content)).toEqual([content]);
});
