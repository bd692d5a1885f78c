import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { GENERATED, isolateModule } from "../../../scripts/isolate.ts";
import type { ToolModule } from "../../../src/sandbox/isolate/main.ts";
import { fresh, play, playUnchecked } from "./vm.ts";

test("the generated module is what its sources make: node scripts/run.mjs scripts/isolate.ts", async () => {
  expect(readFileSync(GENERATED, "utf8")).toBe(await isolateModule());
});

test("nothing on the global object but what is offered, and no way from there to more", () => {
  const walk = `
    const seen = new Set(), found = [];
    const c = "const" + "ructor", p = "__pro" + "to__";
    const start = [Math, JSON, Intl, Object, Array, String, Number, Boolean, BigInt, Date, Map, Set, RegExp, Error, TypeError,
      console, parseInt, [], {}, "", 1, 1n, true, new Date(), new Map(), new Set(), /a/, () => 1, [].values(), "".split,
      new Error("x"), new Intl.NumberFormat("en"), "a".match(/a/)];
    const look = (value, path) => {
      if (value === null || value === undefined || seen.has(value)) return;
      seen.add(value);
      for (const name of [c, p, "call" + "er", "arguments", "__define" + "Getter__"])
        if (value[name] !== undefined) found.push(path + "." + name);
    };
    start.forEach((value, at) => {
      look(value, String(at));
      look(value["proto" + "type"], at + ".prototype");
    });
    return found;`;
  expect(playUnchecked(walk)).toEqual([]);
});

test("errors show neither the engine's stack nor the guards, to the code or to whoever reads how it ended", () => {
  const caught = (code: string): unknown =>
    play(`try { ${code} } catch (e) { return [e["st" + "ack"] ?? null, e.message]; } return 0;`);
  expect(caught("null.x;")).toEqual([null, "Cannot read properties of null (reading 'x')"]);
  expect(caught('Object["define" + "Property"]({});')).toEqual([null, "Object[…] is not a function"]);
  expect(play('return new Error("x")["st" + "ack"] ?? null;')).toBeNull();
  expect(play('return 1;\nObject["de" + "fine"]();')).toBe(1);
  expect(play('\nObject["de" + "fine"]();\nreturn 1;')).toEqual({
    threw: "TypeError: Object[…] is not a function (line 2)",
  });
  // The line is that of the first throw.
  expect(play("try {\n null.x; } catch (e) {\n throw e; }\nreturn 1;")).toEqual({
    threw: "TypeError: Cannot read properties of null (reading 'x') (line 2)",
  });
});

test("an isolate gives each call its own budget and nothing of the one before", () => {
  const run = fresh();
  const module = "export default ({budget}) => (args) => { budget.left -= args.cost; return args; }";
  for (const cost of [1, 2])
    expect(JSON.parse(run(module, JSON.stringify({ cost })))).toEqual({ kind: "returned", value: { cost } });
});

test("what is left of a call when it is over finds no budget", () => {
  let spend = (): void => undefined;
  const tool: ToolModule =
    ({ budget, more }) =>
    () => {
      spend = () => {
        if ((budget.left -= 1) < 0) more();
      };
      spend();
      return 1;
    };
  expect(JSON.parse(fresh()(tool, "{}"))).toEqual({ kind: "returned", value: 1 });
  let isRefused = false;
  try {
    spend();
  } catch {
    isRefused = true;
  }
  expect(isRefused).toBe(true);
});
