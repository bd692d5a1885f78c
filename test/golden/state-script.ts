// The model says this in the stored state. A mark is the number of its act, so acts are added at the end only.

import { askingWith } from "../support/asking.ts";
import { handoff, planOf, type Reply } from "../support/model-reply.ts";
import type { ModelServer } from "../support/model-server.ts";

/** Scripts the model. Returns the messages that begin each conversation. */
export function scriptState(model: ModelServer) {
  const direct = model.act({ triage: { text: "Good morning." } });
  const six = model.act({ "agent:assistant": { reasoning: "Six times seven.", text: "It is 42." } });
  const half = model.act({ "agent:assistant": { text: "Half of it is 21." } });
  const planned = model.act({
    triage: handoff("needs_planning"),
    planner: planOf(
      { id: "a", title: "Multiply", query: `Multiply ${six}` },
      { id: "b", title: "Halve", query: `Halve ${half}`, after: ["a"] },
    ),
    synthesis: { text: "First 42, then 21." },
  });
  const refused = { trouble: { kind: "status", status: 401 } } as const;
  const failing = model.act({ triage: handoff("needs_planning"), planner: refused });
  const silent = model.act({ triage: { text: "Wait ", trouble: { kind: "stall" } } });
  const tick = model.act({ "agent:assistant": { text: "Everything is well." } });
  const recurring = model.act({ triage: handoff("needs_planning"), planner: planRecurring(`Look around ${tick}`) });
  const { message: asking } = askingWith(model, "How much?");
  const smith = model.act({ "agent:toolsmith": ({ request }) => writeTool(request.tools?.[0]?.function.name ?? "") });
  const double = model.act({ "agent:assistant": { text: "It is 24." } });
  return {
    direct: `Hello ${direct}`,
    planned: `Multiply and halve ${planned}`,
    failing: `This goes wrong ${failing}`,
    silent: `This takes long ${silent}`,
    recurring: `Look around every 60 minutes. Yes, confirmed. ${recurring}`,
    asking,
    smith: `Make a tool ${smith}`,
    /** The prompt of a listener. Its value is what the instance waits for. */
    double: `What is {001.context.seats} * 2? ${double}`,
  };
}

function planRecurring(query: string): Reply {
  const task = { id: "t0", title: "Look", query, agent_name: "assistant", depends_on: [] };
  const tasks = [{ ...task, pattern: "recurring", schedule_config: { interval_minutes: 60 } }];
  return { calls: [{ name: "create_plan", arguments: { tasks, adequate: true, reason: "It recurs." } }] };
}

function writeTool(name: string): Reply {
  const answers: Readonly<Record<string, object>> = {
    plan_subtasks: { tasks: [{ id: 1, description: "do it", category: "math" }] },
    choose_tool: { use_existing: false, reason: "none fits" },
    write_tool: {
      name: "forty_two",
      description: "Tells the number.",
      category: "math",
      parameters: {},
      arguments: {},
      code: "function run() { return 42; }",
    },
  };
  const answer = answers[name];
  return answer === undefined ? { text: "Here it is: 42" } : { calls: [{ name, arguments: answer }] };
}
