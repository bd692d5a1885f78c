// Tries every crash point of one turn with two tasks: the turn must end as it does without a crash.

import type { Frame } from "../src/protocol/wire/events.ts";
import { createApiUser } from "../test/support/api-user.ts";
import { createRandom, randomBetween } from "../test/support/random.ts";
import { foldVisibleState } from "../test/support/invariants.ts";
import { bundle, type Patch } from "./bundle.ts";
import { judge } from "./judge.ts";
import { LIFE_KEY } from "./lane.ts";
import { newReader, type Reader } from "./reader.ts";
import { scriptOfPoints, withoutAttempt } from "./scripts.ts";
import { newTally } from "./tally.ts";
import { newTurn, type Turn } from "./turn.ts";
import { newHost, type Host } from "./workerd.ts";
import { within } from "./within.ts";
import { newWorld, type World } from "./world.ts";

export type CrashReport = {
  /** The number of writes and external calls of the turn. */
  readonly points: number;
  readonly crashes: number;
  /** The number of trials that ended before they reached their crash point. */
  readonly unreached: number;
  readonly seconds: number;
  /** The violations, each with the crash points of its trial. */
  readonly breaches: readonly string[];
};

/** A crash `before` the operation, `after` it (a write is not committed yet), or once the write is `committed`. */
type Crash = { readonly point: number; readonly when: "before" | "after" | "committed" };

export type Points = {
  /** Tries only every n-th point. */
  readonly stride?: number;
  /** The number of additional trials with two crashes, the second during the recovery from the first. */
  readonly pairs?: number;
  /** Patches of a planted fault. With patches, the first violation ends the run. */
  readonly patches?: readonly Patch[];
};

type Site = { readonly world: World; readonly host: Host; life: number };

const ENTRY = "chaos/crashing/worker.ts";
const OUTSIDE: ReadonlySet<string> = new Set(["agent", "directory", "fetch"]);
const END_MS = 20_000;
const SITES = 2;

export async function crashEverywhere(
  outfile: string,
  { stride = 1, pairs = 40, patches = [] }: Points = {},
): Promise<CrashReport> {
  const startedAt = performance.now();
  await bundle(ENTRY, outfile, patches);
  const world = await newWorld();
  const sites = await Promise.all(Array.from({ length: SITES }, () => newSite(world, outfile)));
  try {
    const whole = await trial(must(sites[0]), []);
    const names = await pointsOf(must(sites[0]));
    const rest = trialsOf(names, stride, pairs);
    const breaches = [...whole.breaches];
    let crashes = 0;
    let unreached = 0;
    const work = async (site: Site): Promise<void> => {
      for (let plan = rest.pop(); plan !== undefined; plan = rest.pop()) {
        if (patches.length > 0 && breaches.length > 0) return;
        const { ending, breaches: found, died } = await trial(site, plan);
        crashes += died;
        if (died === 0) unreached += 1;
        const differs = ending === whole.ending ? [] : [`It ended as ${ending} and not as ${whole.ending}`];
        const place = plan
          .map(({ point, when }) => `${when} ${point} (${names[point - 1] ?? "recovery"})`)
          .join(", then ");
        breaches.push(...[...found, ...differs].map((words) => `Crash ${place}: ${words}`));
      }
    };
    await Promise.all(sites.map(work));
    return { points: names.length, crashes, unreached, seconds: (performance.now() - startedAt) / 1_000, breaches };
  } finally {
    await Promise.all(sites.map(({ host }) => host.stop()));
    await world.close();
  }
}

function trialsOf(names: readonly string[], stride: number, pairs: number): Crash[][] {
  const single = names.flatMap((name, i): Crash[][] => {
    if (i % stride !== 0) return [];
    const moments = OUTSIDE.has(name) ? (["before", "after"] as const) : (["before", "after", "committed"] as const);
    return moments.map((when) => [{ point: i + 1, when }]);
  });
  const random = createRandom(names.length);
  const any = (): Crash => ({
    point: randomBetween(random, 1, names.length),
    when: random() < 0.5 ? "before" : "committed",
  });
  return [...single, ...Array.from({ length: pairs }, () => [any(), any()])];
}

async function newSite(world: World, script: string): Promise<Site> {
  const vars = { OPENAI_BASE_URL: world.model.url, ALLOW_PRIVATE_AGENTS: "1", [LIFE_KEY]: "none" };
  const host = await newHost({ script, directory: world.directory.address, vars });
  const site = { world, host, life: 0 };
  await revive(site);
  await createApiUser(host.url).request("POST", "/api/v1/agents", { url: world.steady.url });
  return site;
}

async function revive(site: Site): Promise<void> {
  site.life += 1;
  await site.host.kill();
  await site.host.start({ [LIFE_KEY]: `site-${site.life}` });
}

/** Runs one turn with crashes in a new process. `ending` is its final state, which must not depend on the crashes. */
async function trial(site: Site, crashes: readonly Crash[]) {
  await revive(site);
  const { world, host } = site;
  const person = createApiUser(host.url);
  const response = await person.request("POST", "/api/v1/conversations", {});
  const { conversation_id: conversationId } = (await response.json()) as { conversation_id: string };
  const reader = newReader({ url: host.url, conversationId, kills: () => site.life });
  const turn: Turn = { ...blankTurn(world, conversationId), bornAt: site.life };
  try {
    await arm(host, crashes[0]);
    reader.connect();
    const sent = reader.submit({ type: "send", id: turn.commandId, ...turn.script.message });
    const end = reader.until(({ event }) => event === "done");
    const died = await survive(site, reader, end, crashes.slice(1));
    const answer = await sent;
    if (answer.type === "ack") Object.assign(turn, { threadId: answer.thread_id, seq: answer.seq });
    turn.endedAt = site.life;
    const log = await person.history(conversationId).catch(async () => {
      // The host crashed right after the last event.
      await within(END_MS, host.gone, "The crash");
      await revive(site);
      return person.history(conversationId);
    });
    const evidence = { world, lane: { kills: site.life }, log, readers: [reader], turns: [turn], tally: newTally() };
    const breaches = judge(evidence).map(({ rule, words }) => `${rule}: ${words}`);
    return { ending: endingOf(log), breaches, died };
  } catch (thrown) {
    return { ending: "nothing", breaches: [String(thrown)], died: 0 };
  } finally {
    reader.close();
    if (crashes.length > 0) await person.request("DELETE", `/api/v1/conversations/${conversationId}`).catch(() => null);
  }
}

/** Restarts the host after each crash, armed for the next, until the turn is over. Returns the number of crashes. */
async function survive(site: Site, reader: Reader, end: Promise<Frame>, next: readonly Crash[]): Promise<number> {
  const until = performance.now() + END_MS;
  let isOver = false;
  void end.then(() => (isOver = true));
  for (let died = 0; ; died++) {
    await within(Math.max(0, until - performance.now()), Promise.race([end, site.host.gone]), "The end of the turn");
    if (isOver) return died;
    reader.leave();
    await revive(site);
    await arm(site.host, next[died]);
    reader.connect();
  }
}

async function arm({ url }: Host, crash: Crash = { point: 0, when: "before" }): Promise<void> {
  await (await fetch(`${url}/chaos/arm?point=${crash.point}&when=${crash.when}`)).text();
}

async function pointsOf({ host }: Site): Promise<string[]> {
  return (await (await fetch(`${host.url}/chaos/points`)).json()) as string[];
}

function blankTurn(world: World, conversationId: string): Turn {
  const script = scriptOfPoints(world.model);
  for (const piece of script.pieces) world.teach(piece);
  const commandId = `${conversationId}-0`;
  return newTurn(script, commandId, 0);
}

/** Formats the final state without the values that differ between runs: ids, sequence numbers, times, attempts. */
function endingOf(log: readonly Frame[]): string {
  const { threads, plans, items } = foldVisibleState(log);
  const words = new Map<string, string>();
  for (const item of items as readonly { event: string; task_id?: string; payload: { content?: string } }[]) {
    if (item.event !== "message_chunk") continue;
    const task = item.task_id ?? "";
    words.set(task, (words.get(task) ?? "") + withoutAttempt(item.payload.content ?? ""));
  }
  const tasks = plans.flatMap((plan) =>
    plan.tasks.map(({ task_id: id, title, agent_name: agent, status, depends_on: after }) => {
      const said = words.get(id);
      words.delete(id);
      return {
        title,
        agent,
        status,
        said,
        after: after.map((other) => plan.tasks.findIndex((task) => task.task_id === other)),
      };
    }),
  );
  const done = log.filter(({ event }) => event === "done").length;
  return JSON.stringify({ threads: threads.map(({ status }) => status), tasks, said: [...words.values()], done });
}

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("There is no site");
  return value;
}
