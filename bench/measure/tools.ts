import type { ToolCategory } from "../../src/protocol/tools/stored-tool.ts";
import { quantile, type Figure } from "../figure.ts";
import type { Lab } from "../lab.ts";

/** Tools to keep for a user: the numbers say what they are. */
export type Shelf = { readonly userId: string; readonly from: number; readonly count: number };
/** A search as the toolsmith makes it. */
export type Wanted = {
  readonly userId: string;
  readonly text: string;
  readonly category: ToolCategory;
  readonly limit: number;
};

/** Tools in one request. */
const PORTION = 500;
const OTHERS = 10;
/** As many as the toolsmith shows to its model. */
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

/** The search for a tool that may do a sub-task, in a full registry and in an empty one. */
export async function tools(lab: Lab): Promise<Figure[]> {
  const count = lab.isQuick ? 100 : 10_000;
  const server = await lab.start("orrery", "seeded");
  const { url } = server;
  try {
    for (let i = 0; i < OTHERS; i++) await fill(url, `other-${i}`, count / OTHERS);
    const keeping = await fill(url, "ada", count);
    const full = await searched(url, "ada", lab.isQuick ? 2 : 30);
    const empty = await searched(url, "nobody", lab.isQuick ? 2 : 30);
    const among = `search among ${count.toLocaleString("en")} tools, beside as many of others`;
    return [
      { name: `${among}: p50`, unit: "ms", orrery: quantile(full, 0.5) },
      { name: `${among}: p95`, unit: "ms", orrery: quantile(full, 0.95) },
      { name: "search among no tools: p50", unit: "ms", orrery: quantile(empty, 0.5) },
      { name: `keeping the last of ${count.toLocaleString("en")} tools`, unit: "ms", orrery: keeping },
    ];
  } finally {
    await server.stop();
  }
}

/** Keeps tools; resolves with the milliseconds that each of the last ones took. */
async function fill(url: string, userId: string, count: number): Promise<number> {
  let each = NaN;
  for (let from = 0; from < count; from += PORTION) {
    const shelf: Shelf = { userId, from, count: Math.min(PORTION, count - from) };
    const startedAt = performance.now();
    await asked(`${url}/tools`, shelf);
    each = (performance.now() - startedAt) / shelf.count;
  }
  return each;
}

/** The milliseconds of every search, one after the other. */
async function searched(url: string, userId: string, rounds: number): Promise<number[]> {
  const times: number[] = [];
  // The first round only warms up.
  for (let round = 0; round <= rounds; round++) {
    for (const [text, category] of TEXTS) {
      const wanted: Wanted = { userId, text, category, limit: CANDIDATES };
      const startedAt = performance.now();
      const found = await asked(`${url}/candidates`, wanted);
      if (round > 0) times.push(performance.now() - startedAt);
      if (found.length !== (userId === "nobody" ? 0 : CANDIDATES)) throw new Error(`${text}: ${found.length} tools`);
    }
  }
  return times;
}

async function asked(url: string, body: Shelf | Wanted): Promise<unknown[]> {
  const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as unknown[];
}
