import { startModel, startServer, pinSelf } from "./processes.ts";
import { Caller, begin, replay } from "./client.ts";
console.log("pinned", pinSelf());
const model = await startModel();
const script = process.argv[2]!, config = process.argv[3]!;
const s = await startServer({ config, script, vars: { OPENAI_BASE_URL: model.url + "/v1", OPENAI_API_KEY: "bench", PROMPT_BYTES: JSON.stringify({triage:3000, planner: 4000, "agent:assistant": 3000, synthesis: 500}) } });
const c = await Caller.open(s.url);
console.log(await c.turn({ kind: "direct", tokens: 20, paceMs: 0 }));
console.log(await c.turn({ kind: "plan", tokens: 200, paceMs: 0 }));
const med = (a: number[]) => a.toSorted((x, y) => x - y)[a.length >> 1];
for (const [kind, tokens, n] of [["direct", 20, 300], ["plan", 200, 300], ["plan", 4000, 20],["direct",4000,20]] as const) {
  const cpu = s.cpuMs(); const t: any[] = []; const c2 = await Caller.open(s.url);
  for (let i = 0; i < n; i++) t.push(await c2.turn({ kind, tokens, paceMs: 0 }));
  console.log(kind, tokens, "ack", med(t.map(x=>x.ackMs)), "first", med(t.map(x => x.firstMs)), "total", med(t.map(x => x.totalMs)), "cpu", (s.cpuMs() - cpu) / n, "frames", med(t.map(x => x.frames)));
}
console.log(await c.turn({ kind: "plan", tokens: 50, paceMs: 10 }), await c.turn({ kind: "plan", tokens: 50, paceMs: 50 }));
console.log(await (await fetch(model.url + "/seen")).json());
await s.stop(); await model.stop();
process.exit(0);
