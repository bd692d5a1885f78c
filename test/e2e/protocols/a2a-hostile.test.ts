// A2A and bodies that nobody in their right mind sends.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { personAt } from "../../support/person.ts";
import { openStage, post, type Answer, type Stage } from "./a2a-stage.ts";

let stage: Stage;
let url: string;

beforeAll(async () => {
  stage = await openStage();
  url = `${stage.runtime.url}/a2a`;
});
afterAll(() => stage.close());

describe("hostile bodies", () => {
  const deep = (n: number) => `${"[".repeat(n)}${"]".repeat(n)}`;
  const message = (part: string, more = "") =>
    `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"h-${Math.random()}","role":"ROLE_USER","parts":[${part}]${more}}}}`;
  const old = (part: string, more = "") =>
    `{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"kind":"message","messageId":"h-${Math.random()}","role":"user","parts":[${part}]${more}}}}`;

  test.each([
    ["nesting beyond measure", deep(100_000), -32600],
    ["nesting in data", message(`{"data":${deep(5_000)}}`), -32602],
    [
      "nesting in metadata",
      message(`{"text":"What is 1 + 1?"}`, `,"metadata":{"current_context":{"a":${deep(5_000)}}}`),
      0,
    ],
    ["nesting in data of 0.3", old(`{"kind":"data","data":{"a":${deep(5_000)}}}`), -32602],
    ["nesting in metadata of 0.3", old(`{"kind":"text","text":"x"}`, `,"metadata":{"a":${deep(5_000)}}`), -32602],
    ["a prototype", message(`{"text":"What is 1 + 1?","__proto__":{"isAdmin":true}}`, `,"__proto__":{"role":"x"}`), 0],
    ["names that come twice", message(`{"text":"a","text":"What is 1 + 1?"}`), 0],
    ["half a character", message(`{"text":"\\ud800"}`, `,"contextId":"\\ud800"`), -32602],
    ["numbers for words", message(`{"text":5}`), -32602],
    ["objects for words", message(`{"text":{"a":1}}`), -32602],
    ["two contents in one part", message(`{"text":"x","data":{}}`), -32602],
    [
      "words for a flag",
      message(`{"text":"x"}`).replace(/}}$/, `,"configuration":{"returnImmediately":"yes"}}}`),
      -32602,
    ],
    ["a word for a list", message(`{"text":"x"}`, `,"referenceTaskIds":"x"`), -32602],
    ["nothing in a list", message(`{"text":"x"},null`), -32602],
    ["a list of lists", message(`[[]]`), -32602],
    ["half a body", message(`{"text":"x"}`).slice(0, 80), -32700],
    ["no bytes of text", "\u0000\u0001", -32700],
    ["a message that is too large", message(`{"text":"${"x".repeat(70_000)}"}`), -32602],
    ["a body that is too large", message(`{"text":"x"}`, `,"metadata":{"x":"${"x".repeat(3_000_000)}"}`), -32600],
  ])("%s", async (_, body, code) => {
    const response = await post(url, body, body.includes('"message/send"') ? { "a2a-version": "0.3" } : {});
    const answer = (await response.json()) as Answer;
    expect(response.status).toBe(200);
    if (code === 0) expect(answer).toHaveProperty("result.task");
    else expect(answer.error.code).toBe(code);
    expect(answer).not.toHaveProperty("error.data.0.stack");
  });

  test("none of it harms anybody: the next request is answered", async () => {
    expect((await personAt(stage.runtime.url).say("What is 2 + 3?")).frames.length).toBeGreaterThan(2);
  });
});
