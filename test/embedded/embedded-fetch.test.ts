import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answerRequest, fetchEmbedded } from "../../src/embedded/embedded-fetch.ts";
import { getCpuMs } from "../support/cpu-time.ts";
import { anyOf, askModel, createToolSpec, stringWith } from "./embedded-client.ts";

const postBody = (body: string) => fetchEmbedded("http://embedded/v1/chat/completions", { method: "POST", body });

describe("the endpoint of the embedded model", () => {
  test("streams a text in several deltas, and its usage", async () => {
    const answer = await askModel("", [{ role: "user", content: "hello" }]);
    expect(answer.text).toMatch(/^Hello/);
    expect(answer.deltas).toBeGreaterThan(5);
    expect(answer.usage).toMatchObject({ prompt_tokens: anyOf(Number), total_tokens: anyOf(Number) });
  });

  test("streams a tool call", async () => {
    const time = createToolSpec("current_time", "The current time.", { timezone: { type: "string" } }, []);
    const { calls } = await askModel("", [{ role: "user", content: "what time is it in Tokyo?" }], [time]);
    expect(calls).toMatchObject([{ name: "current_time", arguments: { timezone: "Asia/Tokyo" } }]);
  });

  test.each([
    ["Who was Newton?", "OPENAI_API_KEY"],
    ["乘".repeat(30_000), "太长"],
  ])("declines a request in a sentence (%#)", async (content, words) => {
    expect(await askModel("", [{ role: "user", content }])).toMatchObject({ text: stringWith(words), calls: [] });
  });

  test.each([
    ["{", ""],
    ['{"messages":[]}', "messages"],
    ['{"messages":[{"role":"alien","content":"x"}]}', "messages.0.role"],
  ])("returns 400 in OpenAI's format for %s", async (body, param) => {
    const response = await postBody(body);
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: { message: anyOf(String), type: "invalid_request_error", param } },
    ]);
  });
});

const turn = (role: "system" | "user", text: string) => ({ role, text, toolCalls: [], toolCallId: "" });

describe("hostile input to the embedded model", () => {
  const words =
    "计算 678 乘以 三百 然后 再 ， 、 和 的结果 每天 9点 把 它 现在几点 “ ” ( ) (((( - ! tell the_time and then first every at_9 to in_Tokyo it ' \" : ```json Results: sum of @x 1. %";
  const phrase = fc
    .array(fc.oneof(fc.constantFrom(...words.split(" "), "\n"), fc.string({ maxLength: 6 })), { maxLength: 40 })
    .map((parts) => parts.join(" ").replaceAll("_", " "));
  const agents = 'Agents:\n```json\n[{"name":"a","description":"time and arithmetic","skills":[]}]\n```';
  const parameters = { type: "object", properties: { expression: { type: "string" } }, required: ["expression"] };
  const tools = ["handoff_to_planner", "create_plan", "plan_subtasks", "calculate"].map((name) => ({
    name,
    description: "arithmetic",
    parameters: name === "calculate" ? parameters : {},
  }));
  const columns = Array.from({ length: 400 }, (_, i) => ({ name: `column ${i} 列${i}`, type: "number" }));
  const classes = [{ class_id: "c-1a", name: "Form 1A", assignments: [] }, "… 2 more"];
  const material = JSON.stringify({ classes, datasets: [{ name: "wide", columns: [...columns, "… 3 more"] }, 7] });
  const answer = (text: string, role: string) => {
    const message = `${text}\n\nData that exists:\n\`\`\`json\n${material}\n\`\`\``;
    return answerRequest({ turns: [turn("system", agents), turn("user", message)], tools }, role);
  };

  test.each(["triage", "planner", "synthesis", "agent:toolsmith", "router", "page_chat", "agent:x", ""])(
    "never makes the role %j fail or return an empty answer",
    (role) => {
      fc.assert(
        fc.property(phrase, (text) => {
          const given = answer(text, role);
          expect(given.kind === "text" ? given.text !== "" : given.calls.length > 0).toBe(true);
        }),
        { numRuns: 100 },
      );
    },
  );

  test.each([
    "(",
    "1+",
    "1 and ",
    "然后",
    "计算1，",
    "“",
    "word ",
    "a",
    "9",
    "一",
    " ",
    "\n",
    "把",
    "每天9点",
    "in A ",
    "by ",
    "1A ",
    "top 1 ",
    "2026年1月1日到",
  ])("takes less than 2 s to read 11,500 characters of %j", (unit) => {
    const text = `x${unit.repeat(11_500 / unit.length)}y`;
    for (const role of ["triage", "planner", "agent:toolsmith", "router", "agent:x"]) {
      const start = getCpuMs();
      answer(text, role);
      expect(getCpuMs() - start).toBeLessThan(2_000);
    }
  });
});
