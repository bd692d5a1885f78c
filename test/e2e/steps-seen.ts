// The steps of a turn, each under one name, as seen from two sides: by those who are asked, and by a listener.

import type { A2AAgent } from "../support/a2a-agent.ts";
import type { Listener } from "../support/listener.ts";
import type { ModelServer } from "../support/model-server.ts";
import type { Begun, Finished } from "../support/rules.ts";

/** What was begun, call by call: by the model's own log, and by that of the agent elsewhere. */
export function begunAt(model: ModelServer, agent: A2AAgent): Begun[] {
  const calls = model.calls.map(({ role, mark, round, startedAt: at }) => {
    return { step: `${role.replace(/:.*/, "")} ${mark}${round === 0 ? "" : ` round ${round}`}`, at };
  });
  const tasks = agent.asked.map(({ query, at }) => ({ step: `agent ${markIn(query)}`, at }));
  return [...calls, ...tasks].toSorted((a, b) => a.at - b.at);
}

function markIn(text: string): string {
  return /⟦\d+⟧/.exec(text)?.[0] ?? "";
}

/** Which steps somebody saw finished, and when. */
export function finished(heard: Listener["events"]): Finished[] {
  const threads = new Map<string, string>();
  const tasks = new Map<string, string>();
  return heard.flatMap(({ frame, at }) => {
    switch (frame.event) {
      case "thread_started":
        threads.set(frame.data.thread_id, markIn(frame.data.payload.content));
        return [];
      case "triage_completed":
        return [{ step: `triage ${threads.get(frame.data.thread_id)}`, at }];
      case "plan_created":
        for (const task of frame.data.payload.plan.tasks) tasks.set(task.task_id, markIn(task.query));
        return [{ step: `planner ${threads.get(frame.data.thread_id)}`, at }];
      case "tool_call_completed":
        // The call of the model that asked for the tool has come to its end.
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
