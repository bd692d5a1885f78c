import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { detectLanguage } from "../../../src/protocol/language/detect-language.ts";
import { CORPUS, REFUSED } from "./toolsmith-corpus.ts";
import { carryOut, NOW, split, told, type Kept } from "./toolsmith-drive.ts";

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
    "[F91] [F94] %j is split and carried out; asked again it takes no new code",
    (request, ...expected) => {
      const kept: Kept[] = [];
      const { steps, answer } = carryOut(request, kept);
      expect(steps.map(told)).toEqual(expected);
      for (const { result } of steps) expect(answer).toContain(result ?? "");
      const again = carryOut(request, kept).steps.filter(({ error }) => error === undefined);
      expect(again.map(({ way }) => way)).toEqual(again.map(() => "use_existing"));
    },
  );

  test.each(REFUSED)("%j is refused, and the person told why", (request) => {
    const answer = split(request);
    expect(answer).toContain("OPENAI_API_KEY");
  });
});
