import type { ToolCategory } from "../../src/protocol/tools/stored-tool.ts";
import { quantile, type Figure } from "../figure.ts";
import type { BenchEnvironment } from "../environment.ts";

/** Tools to save for a user. Their number determines their content. */
export type ToolBatch = { readonly userId: string; readonly from: number; readonly count: number };
/** A search of the toolsmith. */
export type ToolSearch = {
  readonly userId: string;
  readonly text: string;
  readonly category: ToolCategory;
  readonly limit: number;
};

/** Tools per request. */
const BATCH_SIZE = 500;
const OTHER_USERS = 10;
/** The number of candidates that the toolsmith shows to its model. */
const CANDIDATES = 8;

const TEXTS: readonly (readonly [string, ToolCategory])[] = [
  ["Multiply 678 by 8776", "math"],
  ["计算678乘以8776的结果", "math"],
  ["Convert 30 degrees Celsius to Fahrenheit", "math"],
  ["Count the words of this sentence: the quick brown fox jumps over the lazy dog", "text"],
  ["今天是星期几", "datetime"],
  ["两个日期之间相差多少天", "calendar"],
  ["Calculate the percentages of the given numbers and return the result, sorted and rounded", "math"],
  ["验证给定的日期并返回结果", "calendar"],
  ["Which holidays are there in the week of 2026-11-21?", "calendar"],
  ["Something that nobody has ever asked for", "other"],
];

/** Measures the search for the tool of a sub-task, in a full registry and in an empty one. */
export async function measureTools(environment: BenchEnvironment): Promise<Figure[]> {
  const count = environment.isQuick ? 100 : 10_000;
  const server = await environment.start("orrery", "seeded");
  const { url } = server;
  try {
    for (let i = 0; i < OTHER_USERS; i++) await saveTools(url, `other-${i}`, count / OTHER_USERS);
    const saveMs = await saveTools(url, "ada", count);
    const full = await timeSearches(url, "ada", environment.isQuick ? 2 : 30);
    const empty = await timeSearches(url, "nobody", environment.isQuick ? 2 : 30);
    const label = `search among ${count.toLocaleString("en")} tools, with as many of other users`;
    return [
      { name: `${label}: p50`, unit: "ms", orrery: quantile(full, 0.5) },
      { name: `${label}: p95`, unit: "ms", orrery: quantile(full, 0.95) },
      { name: "search among no tools: p50", unit: "ms", orrery: quantile(empty, 0.5) },
      { name: `saving the last of ${count.toLocaleString("en")} tools`, unit: "ms", orrery: saveMs },
    ];
  } finally {
    await server.stop();
  }
}

/** Saves tools. Resolves with the milliseconds per tool of the last batch. */
async function saveTools(url: string, userId: string, count: number): Promise<number> {
  let msPerTool = NaN;
  for (let from = 0; from < count; from += BATCH_SIZE) {
    const batch: ToolBatch = { userId, from, count: Math.min(BATCH_SIZE, count - from) };
    const startedAt = performance.now();
    await postJson(`${url}/tools`, batch);
    msPerTool = (performance.now() - startedAt) / batch.count;
  }
  return msPerTool;
}

/** Runs searches one after the other. Resolves with the milliseconds of each. */
async function timeSearches(url: string, userId: string, rounds: number): Promise<number[]> {
  const times: number[] = [];
  // The first round is a warm-up.
  for (let round = 0; round <= rounds; round++) {
    for (const [text, category] of TEXTS) {
      const search: ToolSearch = { userId, text, category, limit: CANDIDATES };
      const startedAt = performance.now();
      const found = await postJson(`${url}/candidates`, search);
      if (round > 0) times.push(performance.now() - startedAt);
      if (found.length !== (userId === "nobody" ? 0 : CANDIDATES)) throw new Error(`${text}: ${found.length} tools`);
    }
  }
  return times;
}

async function postJson(url: string, body: ToolBatch | ToolSearch): Promise<unknown[]> {
  const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as unknown[];
}
