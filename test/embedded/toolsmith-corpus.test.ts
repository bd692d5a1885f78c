import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { detectLanguage } from "../../src/language/detect-language.ts";
import { CORPUS, REFUSED } from "./toolsmith-corpus.ts";
import { runRequest, NOW, planSubtasks, formatStep, type KeptTool } from "./toolsmith-runner.ts";

beforeAll(() => {
  vi.useFakeTimers({ now: NOW, toFake: ["Date"] });
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("the corpus of the toolsmith", () => {
  test("has at least 300 different requests, a third of them in each language", () => {
    const requests = new Set(CORPUS.map(([request]) => request));
    expect(requests.size).toBe(CORPUS.length);
    expect(requests.size).toBeGreaterThanOrEqual(300);
    for (const language of ["zh", "en"] as const) {
      expect([...requests].filter((request) => detectLanguage(request) === language).length).toBeGreaterThan(
        requests.size / 3,
      );
    }
  });

  test.each(CORPUS)(
    "[F91] [F94] is split and carried out, and needs no new code on repetition: %j",
    (request, ...expected) => {
      const tools: KeptTool[] = [];
      const { steps, answer } = runRequest(request, tools);
      expect(steps.map(formatStep)).toEqual(expected);
      for (const { result } of steps) expect(answer).toContain(result ?? "");
      const repeated = runRequest(request, tools).steps.filter(({ error }) => error === undefined);
      expect(repeated.map(({ source }) => source)).toEqual(repeated.map(() => "use_existing"));
    },
  );

  test.each(REFUSED)("contains requests that are refused with a reason: %j", (request) => {
    const answer = planSubtasks(request);
    expect(answer).toContain("OPENAI_API_KEY");
  });
});
