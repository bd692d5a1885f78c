// D1: every word is returned once, whether the agent streams it, repeats it, sends whole artifacts or continues after a
// crash.

import { StreamResponse } from "@a2a-js/sdk";
import { expect, test } from "vitest";
import { decodeTaskState, encodeCheckpointState } from "../../src/dispatch/remote-task-state.ts";
import { A2ATranslator } from "../../src/dispatch/a2a-translator.ts";
import type { AgentEvent } from "../../src/protocol/agents/agent.ts";
import { getCpuMs } from "../support/cpu-time.ts";
import { randomBetween, createRandom } from "../support/random.ts";
import { joinTextEvents } from "../agents/fixtures/local-agent.ts";

const SEED = 20_261_122;
const ROUNDS = 2_000;
const AT = { taskId: "t", contextId: "c" };

/** An agent with growing artifacts, which it sends in every form that A2A allows. */
class GrowingAgent {
  readonly #artifacts = new Map<string, string>();
  #old = new Set<string>();
  #words = 0;

  /** An artifact from before a question only grows at its end: sent as a whole it would be a new answer. */
  grow(artifactId: string, isPiece: boolean): object {
    const known = this.#artifacts.get(artifactId) ?? "";
    const word = `<${(this.#words += 1)}>`;
    this.#artifacts.set(artifactId, known + word);
    const append = known !== "" && (isPiece || this.#old.has(artifactId));
    const text = append ? word : known + word;
    return { artifactUpdate: { ...AT, artifact: { artifactId, parts: [{ text }] }, append } };
  }

  ask(): object {
    this.#old = new Set(this.#artifacts.keys());
    return this.task("INPUT_REQUIRED");
  }

  task(state: string): object {
    const artifacts = [...this.#artifacts].map(([artifactId, text]) => ({ artifactId, parts: [{ text }] }));
    return { task: { id: "t", contextId: "c", status: { state: `TASK_STATE_${state}` }, artifacts } };
  }

  get words(): string[] {
    return Array.from({ length: this.#words }, (_, i) => `<${i + 1}>`);
  }
}

function translateAll(translation: A2ATranslator, ...responses: object[]): AgentEvent[] {
  return translation.translate(responses.map((response) => StreamResponse.fromJSON(response)));
}

/** Returns a translator with the state of the last checkpoint, as after a crash. */
function resumeAfterCrash(translation: A2ATranslator): A2ATranslator {
  return new A2ATranslator("c", decodeTaskState(encodeCheckpointState(translation.state)));
}

/** Returns a translator with the state that was stored with the question, as after an answer. */
function resumeAfterAnswer(question: AgentEvent | undefined): A2ATranslator {
  return new A2ATranslator("c", decodeTaskState(question?.type === "input_required" ? question.state : undefined));
}

test(`[D1] each word of ${ROUNDS} random agents is returned once`, () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const random = createRandom(SEED + round);
    const agent = new GrowingAgent();
    let translation = new A2ATranslator("c");
    const events = translateAll(translation, agent.task("WORKING"));
    for (let step = randomBetween(random, 1, 12); step > 0; step -= 1) {
      const id = ["2", "1", "b", "a"][randomBetween(random, 0, 3)] ?? "a";
      const what = randomBetween(random, 0, 5);
      if (what < 4)
        events.push(...translateAll(translation, what === 3 ? agent.task("WORKING") : agent.grow(id, what < 2)));
      else if (what === 4) translation = resumeAfterCrash(translation);
      else {
        events.push(...translateAll(translation, agent.ask()));
        translation = resumeAfterAnswer(events.at(-1));
        events.push(...translateAll(translation, agent.task("WORKING")));
      }
    }
    events.push(...translateAll(translation, agent.task("COMPLETED")));
    expect((joinTextEvents(events).match(/<\d+>/g) ?? []).toSorted(), `round ${round}`).toEqual(agent.words.toSorted());
  }
});

const artifact = (artifactId: string, text: string, append: boolean) => ({
  artifactUpdate: { ...AT, artifact: { artifactId, parts: [{ text }] }, append },
});

test("[T4] continues a paragraph after a crash although another one started after it", () => {
  const before = new A2ATranslator("c");
  const events = [artifact("a", "one", false), artifact("b", "two", false), artifact("a", " and", true)];
  expect(joinTextEvents(translateAll(before, ...events))).toBe("one\n\ntwo\n\n and");
  expect(joinTextEvents(translateAll(resumeAfterCrash(before), artifact("a", " so on", true)))).toBe(" so on");
});

test("[T4] starts a new paragraph after a crash if a message came last", () => {
  const before = new A2ATranslator("c");
  const message = { message: { messageId: "m", taskId: "t", role: "ROLE_AGENT", parts: [{ text: "By the way." }] } };
  translateAll(before, artifact("a", "one", false), message);
  expect(joinTextEvents(translateAll(resumeAfterCrash(before), artifact("a", "two", true)))).toBe("\n\ntwo");
});

test("[A1] reads thousands of messages after a long text quickly", () => {
  const translation = new A2ATranslator("c");
  const messages = Array.from({ length: 4_000 }, (_, n) => ({
    message: { messageId: `m${n}`, taskId: "t", role: "ROLE_AGENT", parts: [{ text: `${n}` }] },
  }));
  const start = getCpuMs();
  translateAll(translation, artifact("a", "z".repeat(600_000), false));
  for (const message of messages) translateAll(translation, message);
  expect(getCpuMs() - start).toBeLessThan(500);
});
