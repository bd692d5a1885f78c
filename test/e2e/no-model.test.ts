// A deployment without a model and without the embedded model.

import { afterAll, beforeAll, expect, test } from "vitest";
import { createApiUser, filterEvents, joinText, type ApiUser } from "../support/api-user.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

let runtime: Runtime;
let user: ApiUser;

beforeAll(async () => {
  runtime = await startRuntime({
    hasNoModel: true,
    siblings: {
      "orrery-clock": { config: "examples/clock-worker/wrangler.toml", entry: "examples/clock-worker/clock.ts" },
    },
    agents: { AGENT_CLOCK: "orrery-clock" },
  });
  user = createApiUser(runtime.url);
});
afterAll(() => runtime.stop());

test("reports in /health that it has no model", async () => {
  expect(await user.get("/health")).toMatchObject({ status: "ok", model: { name: "", kind: "none" } });
});

test.each([
  ["en", /^No model is configured\. Set OPENAI_API_KEY or OPENAI_BASE_URL .*docs\/deploy\.md/],
  ["zh", /^尚未配置模型。.*OPENAI_API_KEY.*OPENAI_BASE_URL.*docs\/deploy\.md/],
])("ends a thread that needs a model with the reason (%s)", async (language, reason) => {
  const { frames } = await user.sendAndWait("12 * 34", { language });
  const failures = filterEvents(frames, "system_failed").map(({ payload }) => payload);
  expect(failures).toMatchObject([{ code: "model_not_configured", content: expect.stringMatching(reason) as string }]);
  expect(frames.at(-1)?.event).toBe("done");
});

test("tells the reason when an agent needs a model", async () => {
  const { frames } = await user.sendAndWait("What is 12 * 34?", { agent: "assistant" });
  expect(JSON.stringify(frames)).toContain("No model is configured.");
});

test("still runs an agent that needs no model", async () => {
  const { frames } = await user.sendAndWait("What time is it in Tokyo?", { agent: "clock", language: "en-GB" });
  expect(joinText(frames, "clock")).toMatch(/^Asia\/Tokyo: /);
  expect(frames.at(-1)?.event).toBe("done");
});
