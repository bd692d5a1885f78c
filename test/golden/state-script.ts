// The replies of the model in the stored state. A mark is the number of its act, so new acts must be added at the
// end.

import { scriptPlannerQuestions } from "../support/question-script.ts";
import { createHandoffReply, createPlanReply, type ModelReply } from "../support/model-reply.ts";
import type { ModelServer } from "../support/model-server.ts";

/** Scripts the model. Returns the first message of each conversation. */
export function scriptState(model: ModelServer) {
  const direct = model.addScript({ triage: { text: "Good morning." } });
  const six = model.addScript({ "agent:assistant": { reasoning: "Six times seven.", text: "It is 42." } });
  const half = model.addScript({ "agent:assistant": { text: "Half of it is 21." } });
  const planned = model.addScript({
    triage: createHandoffReply("needs_planning"),
    planner: createPlanReply(
      { id: "a", title: "Multiply", query: `Multiply ${six}` },
      { id: "b", title: "Halve", query: `Halve ${half}`, after: ["a"] },
    ),
    synthesis: { text: "First 42, then 21." },
  });
  const refused = { fault: { kind: "status", status: 401 } } as const;
  const failing = model.addScript({ triage: createHandoffReply("needs_planning"), planner: refused });
  const silent = model.addScript({ triage: { text: "Wait ", fault: { kind: "stall" } } });
  const tick = model.addScript({ "agent:assistant": { text: "Everything is well." } });
  const recurring = model.addScript({
    triage: createHandoffReply("needs_planning"),
    planner: planRecurring(`Look around ${tick}`),
  });
  const { message: asking } = scriptPlannerQuestions(model, "How much?");
  const smith = model.addScript({
    "agent:toolsmith": ({ request }) => writeTool(request.tools?.[0]?.function.name ?? ""),
  });
  const double = model.addScript({ "agent:assistant": { text: "It is 24." } });
  return {
    direct: `Hello ${direct}`,
    planned: `Multiply and halve ${planned}`,
    failing: `This goes wrong ${failing}`,
    silent: `This takes long ${silent}`,
    recurring: `Look around every 60 minutes. Yes, confirmed. ${recurring}`,
    asking,
    smith: `Make a tool ${smith}`,
    /** The prompt of a listener. The instance waits for its value. */
    double: `What is {001.context.seats} * 2? ${double}`,
  };
}

function planRecurring(query: string): ModelReply {
  const task = { id: "t0", title: "Look", query, agent_name: "assistant", depends_on: [] };
  const tasks = [{ ...task, pattern: "recurring", schedule_config: { interval_minutes: 60 } }];
  return { calls: [{ name: "create_plan", arguments: { tasks, adequate: true, reason: "It recurs." } }] };
}

function writeTool(name: string): ModelReply {
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
