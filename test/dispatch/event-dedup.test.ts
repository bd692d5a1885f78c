// D1: whatever an agent streams, repeats, shows whole or goes on with after a crash, each word of it is told once.

import { StreamResponse } from "@a2a-js/sdk";
import { expect, test } from "vitest";
import { decodeState, encodeCheckpoint } from "../../src/dispatch/remote-task-state.ts";
import { A2ATranslator } from "../../src/dispatch/a2a-translator.ts";
import type { AgentEvent } from "../../src/protocol/agents/agent.ts";
import { cpuMs } from "../support/cpu-time.ts";
import { between, randomFrom } from "../support/random.ts";
import { textOf } from "../agents/fixtures/local.ts";

const SEED = 20_261_122;
const ROUNDS = 2_000;
const AT = { taskId: "t", contextId: "c" };

/** An agent with artifacts that grow, which it tells in any way that A2A has. */
class Babbler {
  readonly #artifacts = new Map<string, string>();
  #old = new Set<string>();
  #words = 0;

  /** One that is from before a question only grows at its end: sent whole, it is a new answer. */
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

function tell(translation: A2ATranslator, ...responses: object[]): AgentEvent[] {
  return translation.translate(responses.map((response) => StreamResponse.fromJSON(response)));
}

/** As after a crash, with what was kept. */
function again(translation: A2ATranslator): A2ATranslator {
  return new A2ATranslator("c", decodeState(encodeCheckpoint(translation.state)));
}

/** As after an answer, with what was kept with the question. */
function answered(question: AgentEvent | undefined): A2ATranslator {
  return new A2ATranslator("c", decodeState(question?.type === "input_required" ? question.state : undefined));
}

test(`D1: each of the words that ${ROUNDS} agents say at random is told once`, () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const random = randomFrom(SEED + round);
    const agent = new Babbler();
    let translation = new A2ATranslator("c");
    const told = tell(translation, agent.task("WORKING"));
    for (let step = between(random, 1, 12); step > 0; step -= 1) {
      const id = ["2", "1", "b", "a"][between(random, 0, 3)] ?? "a";
      const what = between(random, 0, 5);
      if (what < 4) told.push(...tell(translation, what === 3 ? agent.task("WORKING") : agent.grow(id, what < 2)));
      else if (what === 4) translation = again(translation);
      else {
        told.push(...tell(translation, agent.ask()));
        translation = answered(told.at(-1));
        told.push(...tell(translation, agent.task("WORKING")));
      }
    }
    told.push(...tell(translation, agent.task("COMPLETED")));
    expect((textOf(told).match(/<\d+>/g) ?? []).toSorted(), `round ${round}`).toEqual(agent.words.toSorted());
  }
});

const artifact = (artifactId: string, text: string, append: boolean) => ({
  artifactUpdate: { ...AT, artifact: { artifactId, parts: [{ text }] }, append },
});

test("T4: after a crash a paragraph goes on where it stopped, though another was begun after it", () => {
  const before = new A2ATranslator("c");
  const events = [artifact("a", "one", false), artifact("b", "two", false), artifact("a", " and", true)];
  expect(textOf(tell(before, ...events))).toBe("one\n\ntwo\n\n and");
  expect(textOf(tell(again(before), artifact("a", " so on", true)))).toBe(" so on");
});

test("T4: after a crash a new paragraph begins where a message came last", () => {
  const before = new A2ATranslator("c");
  const message = { message: { messageId: "m", taskId: "t", role: "ROLE_AGENT", parts: [{ text: "By the way." }] } };
  tell(before, artifact("a", "one", false), message);
  expect(textOf(tell(again(before), artifact("a", "two", true)))).toBe("\n\ntwo");
});

test("A1: thousands of messages after a long text are read at once", () => {
  const translation = new A2ATranslator("c");
  const messages = Array.from({ length: 4_000 }, (_, n) => ({
    message: { messageId: `m${n}`, taskId: "t", role: "ROLE_AGENT", parts: [{ text: `${n}` }] },
  }));
  const start = cpuMs();
  tell(translation, artifact("a", "z".repeat(600_000), false));
  for (const message of messages) tell(translation, message);
  expect(cpuMs() - start).toBeLessThan(500);
});
