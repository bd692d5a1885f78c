// An answer that breaks off after something of it was told: the agent takes it back and asks its model again.

import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { AgentModel } from "../../src/agents/kit/agent.ts";
import { checkpoint } from "../../src/agents/kit/ask.ts";
import { requestToolCall } from "../../src/agents/kit/request-tool-call.ts";
import { AgentBudget, DEFAULT_LIMITS } from "../../src/agents/kit/agent-limits.ts";
import { callModel } from "../../src/agents/kit/call-model.ts";
import { tool } from "../../src/agents/kit/tool.ts";
import { toolAgent } from "../../src/agents/kit/tool-agent.ts";
import { ModelFault } from "../../src/core/ports.ts";
import { joinTextParts as wordsIn } from "../../src/dispatch/agent-events.ts";
import { agentOf, collect, local, requestFor, runWith, textOf, within } from "./fixtures/local.ts";
import { scriptedModel } from "./fixtures/model.ts";
import { runtimeOf } from "./fixtures/runtime.ts";
import { streamed, tell } from "./fixtures/wire.ts";

type Reply = Parameters<typeof scriptedModel>[0] extends infer List
  ? List extends readonly (infer One)[]
    ? One
    : never
  : never;

/** A model whose stream breaks at the end of the replies that are marked so. */
function breaking(replies: readonly (Reply & { readonly breaks?: true })[]) {
  const model = scriptedModel(replies);
  const complete: AgentModel["complete"] = async (request, hear) => {
    const reply = replies[model.heard.length];
    const completion = await model.complete(request, hear);
    if (reply?.breaks === true) throw new ModelFault("model_interrupted", "It broke off.", { retryable: true });
    return completion;
  };
  return { heard: model.heard, complete };
}

const note = (size = 1) =>
  tool({ name: "note", description: "", parameters: z.object({}), run: () => "noted".repeat(size) });
const agent = (size?: number) => toolAgent({ card: { name: "x" }, instructions: "", tools: [note(size)] });

const HALF = { text: "All is w", breaks: true } as const;
const WHOLE = { text: "All is well." };
const NOTING = { text: "I note it. ", calls: [["note", "{}"]] } as const satisfies Reply;

describe("[F70] an agent whose model breaks off in the middle of its answer", () => {
  test("takes back what it said and asks again; each call is counted", async () => {
    const model = breaking([{ reasoning: "Hm.", ...HALF }, WHOLE]);
    const said = await runWith(agent(), requestFor("go"), model);
    const retracted = said.findIndex(({ type }) => type === "retracted");
    expect(textOf(said.slice(0, retracted))).toBe("All is w");
    expect(textOf(said.slice(retracted))).toBe("All is well.");
    expect(said.filter(({ type }) => type === "usage")).toHaveLength(2);
    expect(said.at(-1)).toEqual({ type: "completed" });
  });

  test("has failed after three", async () => {
    const model = breaking([HALF, HALF, HALF, WHOLE]);
    const said = await runWith(agent(), requestFor("go"), model);
    expect(said.at(-1)).toMatchObject({ type: "failed", code: "model_interrupted" });
    expect(model.heard).toHaveLength(3);
  });

  test("keeps what it had said before a tool, and runs no tool again", async () => {
    const { run } = runtimeOf(agent(), breaking([NOTING, HALF, WHOLE]));
    const said = await run("m-1");
    const kept = said.findLastIndex(({ type }) => type === "checkpoint");
    const retracted = said.findIndex(({ type }) => type === "retracted");
    expect(textOf(said.slice(0, kept))).toBe("I note it. ");
    expect(textOf(said.slice(kept, retracted))).toBe("All is w");
    expect(textOf(said.slice(retracted))).toBe("All is well.");
    expect(said.filter(({ type }) => type === "tool_started")).toHaveLength(1);
  });

  test("is not asked again when its last steps are in no checkpoint: they would be taken back as well", async () => {
    const model = breaking([...Array<Reply>(40).fill(NOTING).slice(0, 7), HALF, WHOLE]);
    const said = await runWith(agent(40_000), requestFor("go"), model);
    expect(said.some(({ type }) => type === "retracted")).toBe(false);
    expect(said.at(-1)).toMatchObject({ type: "failed", code: "model_interrupted" });
  });
});

describe("a stranger who hears an agent take something back", () => {
  test("sees the answer replaced by what stays of it, and goes on from there", async () => {
    let shown = "";
    for (const { payload } of await streamed(local(agent(), breaking([NOTING, HALF, WHOLE])))) {
      if (payload?.$case !== "artifactUpdate") continue;
      const text = wordsIn(payload.value.artifact?.parts ?? []);
      shown = payload.value.append ? shown + text : text;
    }
    expect(shown).toBe("I note it. All is well.");
  });

  test("goes on hearing after checkpoints that come by themselves, of which it is told nothing", async () => {
    const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
    const slow = agentOf(async function* () {
      yield { type: "text", text: "one" };
      for (const step of [1, 2, 3]) {
        await pause();
        yield checkpoint({ step });
      }
      await pause();
      yield { type: "text", text: " two" };
    });
    const heard = await within(1_000, streamed(local(slow)));
    expect(heard.map(({ payload }) => payload?.$case)).toEqual([
      "task",
      "artifactUpdate",
      "artifactUpdate",
      "statusUpdate",
    ]);
  });

  test("is told so at the time at which it happens, also where no text is taken back", async () => {
    const thinking = agentOf(async function* () {
      await new Promise((resolve) => setTimeout(resolve, 20));
      yield { type: "reasoning", text: "A dead end." };
      yield { type: "retracted", reason: "It broke off." };
    });
    const times = (await streamed(local(thinking))).flatMap(({ payload }) =>
      payload?.$case === "statusUpdate" ? [payload.value.status?.timestamp ?? ""] : [],
    );
    expect(times).toHaveLength(3);
    expect(times).toEqual(times.toSorted());
  });

  test("reads the whole task without it", async () => {
    const task = await tell(local(agent(), breaking([{ reasoning: "A dead end.", ...HALF }, WHOLE])), "go");
    expect(JSON.stringify(task)).not.toMatch(/All is w[^e]|dead end/);
    expect(JSON.stringify(task)).toContain("All is well.");
  });
});

describe("a generator that asks its model itself", () => {
  const asking = agentOf(async function* (_request, { model, signal }) {
    yield { type: "text", text: "First. " };
    yield checkpoint({});
    yield* callModel(model, { role: "agent:x", messages: [], signal }, new AgentBudget(DEFAULT_LIMITS), {
      mayRetract: true,
    });
  });
  const run = (...replies: Parameters<typeof breaking>[0]) => runtimeOf(asking, breaking(replies)).run("m-1");

  test("takes back what breaks off with think, and keeps what stood before its checkpoint", async () => {
    const said = await run(HALF, WHOLE);
    const retracted = said.findIndex(({ type }) => type === "retracted");
    expect(textOf(said.slice(0, retracted))).toBe("First. All is w");
    expect(textOf(said.slice(retracted))).toBe("All is well.");
    expect(said.at(-1)).toEqual({ type: "completed" });
  });

  test("T3: fails with its model's reason", async () => {
    const failed = { type: "failed", reason: "It broke off.", code: "model_interrupted" };
    expect((await run(HALF, HALF, HALF)).at(-1)).toEqual(failed);
  });
});

test("a model that is to call a tool and breaks off is asked again: nothing of it was told", async () => {
  const model = breaking([{ text: "I shall", breaks: true }, { calls: [["choose", '{"one":"a"}']] }]);
  const wanted = { name: "choose", description: "", schema: z.object({ one: z.string() }) };
  const asking = {
    role: "router",
    model,
    signal: new AbortController().signal,
    budget: new AgentBudget(DEFAULT_LIMITS),
    system: { role: "system", content: "" },
  } as const;
  const consulting = requestToolCall(asking, wanted, []);
  const said = await collect(
    (async function* () {
      yield { end: yield* consulting };
    })(),
  );
  expect(said.map((one) => ("type" in one ? one.type : one.end))).toEqual([
    "usage",
    "usage",
    { kind: "called", name: "choose", value: { one: "a" }, arguments: '{"one":"a"}' },
  ]);
});
