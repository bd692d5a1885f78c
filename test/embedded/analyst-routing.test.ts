// The agent that triage selects for a message about data.

import { describe, expect, test } from "vitest";
import { analystCard } from "../../src/agents/analyst/analyst-card.ts";
import { assistant } from "../../src/agents/assistant/assistant.ts";
import { toolsmithCard as toolsmith } from "../../src/agents/toolsmith/toolsmith-card.ts";
import { agentSchema } from "../../src/protocol/agents/agent.ts";
import { runTriage, type ChatMessageParam } from "./embedded-client.ts";

describe("triage in an ordinary conversation", () => {
  const CARDS = [analystCard, toolsmith, assistant.card].map((card) =>
    agentSchema.parse({ ...card, source: "binding", enabled: true }),
  );
  const HISTORY: ChatMessageParam[] = [
    { role: "user", content: "compare 1A and 1B on the last assignment" },
    { role: "assistant", content: "**Form 1A** has the higher mean; the difference to Form 1B is 4.7." },
  ];
  const selectAgent = async (message: string, history: ChatMessageParam[]) => {
    const { calls } = await runTriage(message, history, CARDS);
    return (calls[0]?.arguments as { selected_agents?: string[] } | undefined)?.selected_agents?.[0] ?? null;
  };

  test.each([
    ["compare 1A and 1B on the last assignment", "analyst"],
    ["比较 1A 和 1B 最近一次作业", "analyst"],
    ["销售额按月的趋势", "analyst"],
    ["按地区给销售额排名", "analyst"],
    ["1A和1B哪个班更好？", "analyst"],
    ["客流和营业额的相关性", "analyst"],
    ["三班的数学平均分", "analyst"],
    ["各班数学平均分对比", "analyst"],
    ["每个班有多少人？", "analyst"],
    ["average maths score by class", "analyst"],
    ["how many students are in each class?", "analyst"],
    ["which region has the most orders?", "analyst"],
    ["how much did Paris sell?", "analyst"],
    ["total revenue?", "analyst"],
    ["which product sold best in 2025?", "analyst"],
    ["what was the best month?", "analyst"],
    ["2025年哪个产品卖得最好", "analyst"],
    ["统计销售额,做成图表", "analyst"],
    ["1,2,3的平均数", "assistant"],
    ["这些数的平均分", "assistant"],
    ["how many seconds are in each hour?", null],
    ["换成三班", null],
    ["what is 3+4", "assistant"],
    ["remove the table", null],
  ])("sends %s to %s", async (message, agent) => {
    expect(await selectAgent(message, [])).toBe(agent);
  });

  test.each([
    ["remove the table", "analyst"],
    ["who did best?", "analyst"],
    ["by region instead", "analyst"],
    ["换成三班", "analyst"],
    ["replace revenue with units", "analyst"],
    ["换成大写", "analyst"],
    ["把hello里的l换成r", "assistant"],
    ["1,2,3的平均数", "assistant"],
    ["what time is it in Tokyo?", "assistant"],
  ])("sends, after a page, %s to %s", async (message, agent) => {
    expect(await selectAgent(message, HISTORY)).toBe(agent);
  });

  test.each([
    ["换成三班", "analyst"],
    ["去掉筛选", "analyst"],
    ["and the worst?", "analyst"],
    ["only North", "analyst"],
    ["and the worst, but only North?", "analyst"],
    ["undo", "analyst"],
    ["is it good?", null],
    ["what is the capital of France?", null],
    ["1,2,3的平均数", "assistant"],
  ])("sends, after a page that a mention of the analyst produced, %s to %s", async (message, agent) => {
    const afterPage: ChatMessageParam[] = [
      { role: "user", content: "the fruit, please" },
      { role: "assistant", content: "total revenue: highest apple (320.5), lowest pear (230)." },
    ];
    const afterThanks: ChatMessageParam[] = [
      { role: "user", content: "换成英语" },
      { role: "assistant", content: "apple 320.5" },
      { role: "user", content: "thanks" },
      { role: "assistant", content: "You're welcome!" },
    ];
    expect(await selectAgent(message, afterPage)).toBe(agent);
    expect(await selectAgent(message, [...afterPage, ...afterThanks])).toBe(agent);
  });

  test.each([
    ["write a poem about the sea", "That is beyond the built-in model. Set OPENAI_API_KEY for full understanding."],
    ["@nobody revenue by product", "There is no agent nobody."],
    ["hello", "Hello! What can I do for you?"],
  ])("ignores words about a page after %s, which no agent answered", async (content, answer) => {
    const history: ChatMessageParam[] = [
      { role: "user", content },
      { role: "assistant", content: answer },
    ];
    expect(await selectAgent("only North", history)).toBeNull();
  });

  test("does not take the mean of a subject from earlier answers", async () => {
    const { calls } = await runTriage("英语平均分是多少", HISTORY, CARDS);
    expect(calls[0]?.arguments).toMatchObject({ enriched_query: "英语平均分是多少" });
  });

  test("ignores words about a page after another request", async () => {
    const later: ChatMessageParam[] = [
      ...HISTORY,
      { role: "user", content: "what is 3+4" },
      { role: "assistant", content: "7" },
    ];
    expect(await selectAgent("remove the table", later)).toBeNull();
    expect(await selectAgent("换成三班", later)).toBeNull();
  });
});
