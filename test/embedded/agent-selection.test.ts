// The built-in agents that the embedded model selects, piece by piece.

import { expect, test } from "vitest";
import { assistant } from "../../src/agents/assistant/assistant.ts";
import { analystCard as analyst } from "../../src/agents/analyst/analyst-card.ts";
import { toolsmithCard as toolsmith } from "../../src/agents/toolsmith/toolsmith-card.ts";
import { selectAgent, parseCards, createWorkPredicate } from "../../src/embedded/agent-selection.ts";
import { parsePieces } from "../../src/embedded/request-pieces.ts";

const cards = parseCards([assistant.card, toolsmith, analyst]);
const guestbook = {
  name: "guestbook",
  description: "Keeps a guestbook that everyone can read and sign.",
  skills: [
    { id: "guestbook", tags: ["guestbook", "sign"], examples: ["Sign the guestbook with “Greetings from Oslo”"] },
  ],
};

test.each([
  ["sign the guestbook with 'Hi', read the guestbook", "guestbook", "guestbook"],
  ["Sign the guestbook with “Hi”. Roll a die.", "guestbook", "assistant"],
])("work that only a card describes is a piece of its own: %s", (request, ...agents) => {
  const allCards = [...cards, ...parseCards([guestbook])];
  expect(
    parsePieces(request, createWorkPredicate(allCards)).map(({ text }) => selectAgent(text, allCards)?.name),
  ).toEqual(agents);
});

test.each([
  ["明天星期几", "toolsmith"],
  ["昨天是星期几", "toolsmith"],
  ["1969年7月20日是星期几", "toolsmith"],
  ["2000年2月29日星期几", "toolsmith"],
  ["明天星期幾", "toolsmith"],
  ["今天星期几", "assistant"],
  ["现在几点", "assistant"],
  ["when it's 9am in Beijing what time is it in London", "toolsmith"],
  ["北京时间下午三点是纽约几点", "toolsmith"],
  ["how old am I if I was born on 1990-05-06", "toolsmith"],
  ["what percent of 80 is 20", "toolsmith"],
  ["从80涨到100涨了百分之几", "toolsmith"],
  ["gcd of 12 and 18", "toolsmith"],
  ["12和18的最大公约数", "toolsmith"],
  ["how many r's in strawberry", "toolsmith"],
  ['is "racecar" a palindrome?', "toolsmith"],
  ["255 in hex", "toolsmith"],
  ["标准差 1 2 3 4 5", "toolsmith"],
  ["log10(100)", "toolsmith"],
  ["roll a die", "assistant"],
  ["find the average of 10 and 20", "assistant"],
  ["find the average score of class 3A", "analyst"],
  ["让工具匠算一下 12和18的最大公约数", "toolsmith"],
  ["统计字母数", "assistant"],
  ["generate a number between 1 and 10", "assistant"],
  ["sign the guestbook with hello world", null],
  ["what's the weather in Paris", null],
  ["100 days from now and what weekday is that", "toolsmith", "toolsmith"],
  ["gcd of 12 and 18, and what time is it", "toolsmith", "assistant"],
  ["现在几点，然后告诉我12和18的最大公约数", "assistant", "toolsmith"],
  ["in parallel: 2^10, time in London, reverse xyz", "assistant", "assistant", "assistant"],
] as const)("selectAgent: %s goes to %s", (request, ...agents) => {
  const pieces = parsePieces(request, createWorkPredicate(cards));
  expect(pieces.map(({ text }) => selectAgent(text, cards)?.name ?? null)).toEqual(agents);
});
