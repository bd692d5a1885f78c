import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { GENERATED, buildIsolateModule } from "../../../scripts/isolate.ts";
import type { ToolModule } from "../../../src/sandbox/isolate/main.ts";
import { createIsolate, runChecked, runUnchecked } from "./run-in-vm.ts";

test("the generated module matches its sources (node scripts/run.mjs scripts/isolate.ts)", async () => {
  expect(readFileSync(GENERATED, "utf8")).toBe(await buildIsolateModule());
});

test("the global object exposes only the offered names and no way beyond them", () => {
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
  expect(runUnchecked(walk)).toEqual([]);
});

test("errors reveal neither the engine's stack nor the guards, to the code or to the caller", () => {
  const caught = (code: string): unknown =>
    runChecked(`try { ${code} } catch (e) { return [e["st" + "ack"] ?? null, e.message]; } return 0;`);
  expect(caught("null.x;")).toEqual([null, "Cannot read properties of null (reading 'x')"]);
  expect(caught('Object["define" + "Property"]({});')).toEqual([null, "Object[…] is not a function"]);
  expect(runChecked('return new Error("x")["st" + "ack"] ?? null;')).toBeNull();
  expect(runChecked('return 1;\nObject["de" + "fine"]();')).toBe(1);
  expect(runChecked('\nObject["de" + "fine"]();\nreturn 1;')).toEqual({
    threw: "TypeError: Object[…] is not a function (line 2)",
  });
  // The line is that of the first throw.
  expect(runChecked("try {\n null.x; } catch (e) {\n throw e; }\nreturn 1;")).toEqual({
    threw: "TypeError: Cannot read properties of null (reading 'x') (line 2)",
  });
});

test("an isolate gives each call its own budget and no state of the previous call", () => {
  const run = createIsolate();
  const module = "export default ({budget}) => (args) => { budget.left -= args.cost; return args; }";
  for (const cost of [1, 2])
    expect(JSON.parse(run(module, JSON.stringify({ cost })))).toEqual({ kind: "returned", value: { cost } });
});

test("a function that outlives its call has no budget", () => {
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
  expect(JSON.parse(createIsolate()(tool, "{}"))).toEqual({ kind: "returned", value: 1 });
  let isRefused = false;
  try {
    spend();
  } catch {
    isRefused = true;
  }
  expect(isRefused).toBe(true);
});
