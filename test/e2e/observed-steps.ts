// The steps of a turn, with one name per step, as observed by the model and the remote agent, and by a client.

import type { A2AAgent } from "../support/a2a-agent.ts";
import type { RecordingClient } from "../support/recording-client.ts";
import type { ModelServer } from "../support/model-server.ts";
import type { StepStart, StepEnd } from "../support/invariants.ts";

/** Lists the started steps from the call logs of the model and of the remote agent. */
export function listStartedSteps(model: ModelServer, agent: A2AAgent): StepStart[] {
  const calls = model.calls.map(({ role, mark, round, startedAt: at }) => {
    return { step: `${role.replace(/:.*/, "")} ${mark}${round === 0 ? "" : ` round ${round}`}`, at };
  });
  const tasks = agent.messages.map(({ query, at }) => ({ step: `agent ${findMark(query)}`, at }));
  return [...calls, ...tasks].toSorted((a, b) => a.at - b.at);
}

function findMark(text: string): string {
  return /⟦[a-z\d]+⟧/.exec(text)?.[0] ?? "";
}

/** Lists the steps that a client saw finished, with the time. */
export function listFinishedSteps(events: RecordingClient["events"]): StepEnd[] {
  const threads = new Map<string, string>();
  const tasks = new Map<string, string>();
  return events.flatMap(({ frame, at }) => {
    switch (frame.event) {
      case "thread_started":
        threads.set(frame.data.thread_id, findMark(frame.data.payload.content));
        return [];
      case "triage_completed":
        return [{ step: `triage ${threads.get(frame.data.thread_id)}`, at }];
      case "plan_created":
        for (const task of frame.data.payload.plan.tasks) tasks.set(task.task_id, findMark(task.query));
        return [{ step: `planner ${threads.get(frame.data.thread_id)}`, at }];
      case "tool_call_completed":
        // The model call that requested the tool has ended.
        return frame.data.payload.tool_name === "calculate"
          ? [{ step: `agent ${tasks.get(frame.data.task_id)}`, at }]
          : [];
      case "task_completed":
        return ["", " round 1"].map((round) => ({ step: `agent ${tasks.get(frame.data.task_id)}${round}`, at }));
      case "done":
        return ["triage", "synthesis"].map((role) => ({ step: `${role} ${threads.get(frame.data.thread_id)}`, at }));
      default:
        return [];
    }
  });
}
