// The agent that triage selects for a message about data.

import { describe, expect, test } from "vitest";
import { analystCard } from "../../src/agents/analyst/analyst-card.ts";
import { assistant } from "../../src/agents/assistant/assistant.ts";
import { toolsmithCard as toolsmith } from "../../src/agents/toolsmith/toolsmith-card.ts";
import { runTriage, type ChatMessageParam } from "./embedded-client.ts";
import type { TestCard } from "./test-cards.ts";

const CARDS = [analystCard, toolsmith, assistant.card] as readonly TestCard[];

function createHistory(...contents: string[]): ChatMessageParam[] {
  return contents.map((content, i) => ({ role: i % 2 === 0 ? "user" : "assistant", content }));
}

async function selectAgent(message: string, history: ChatMessageParam[] = []): Promise<string | null> {
  const { calls } = await runTriage(message, history, CARDS);
  return (calls[0]?.arguments as { selected_agents?: string[] } | undefined)?.selected_agents?.[0] ?? null;
}

describe("triage in an ordinary conversation", () => {
  test.each([
    ["compare 1A and 1B on the last assignment", "analyst"],
    ["销售额按月的趋势", "analyst"],
    ["按地区给销售额排名", "analyst"],
    ["1A和1B哪个班更好？", "analyst"],
    ["客流和营业额的相关性", "analyst"],
    ["每个班有多少人？", "analyst"],
    ["average maths score by class", "analyst"],
    ["which region has the most orders?", "analyst"],
    ["Count orders by status", "analyst"],
    ["1,2,3的平均数", "assistant"],
    ["what is 3+4", "assistant"],
    ["how many seconds are in each hour?", null],
    ["remove the table", null],
  ])("sends %s to %s", async (message, agent) => {
    expect(await selectAgent(message)).toBe(agent);
  });

  const ABOUT_PAGE = createHistory("compare 1A and 1B on the last assignment", "**Form 1A** has the higher mean.");

  test.each([
    [ABOUT_PAGE, "remove the table", "analyst"],
    [ABOUT_PAGE, "who did best?", "analyst"],
    [ABOUT_PAGE, "undo", "analyst"],
    [ABOUT_PAGE, "what time is it in Tokyo?", "assistant"],
    [[...ABOUT_PAGE, ...createHistory("thanks", "You're welcome!")], "undo", "analyst"],
    [[...ABOUT_PAGE, ...createHistory("what is 3+4", "7")], "undo", null],
    [createHistory("write a poem", "Set OPENAI_API_KEY."), "undo", null],
  ])("sends, after %j, %s to %s", async (history, message, agent) => {
    expect(await selectAgent(message, history)).toBe(agent);
  });
});
