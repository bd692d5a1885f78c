import { useAgentNames } from "../../agents/use-agents.ts";
import { useMessages } from "../../../session/language.ts";
import type { DrawnListener, DrawnWorkflow, ListenerNames } from "./drawn-workflow.ts";

/** Returns the names of listeners for people, by listener id: each names its agent and the task that it changes. */
export function useListenerNames({
  tasks,
  listeners,
}: {
  readonly tasks: DrawnWorkflow["tasks"];
  readonly listeners: readonly Pick<DrawnListener, "listener_id" | "agent" | "target">[];
}): ListenerNames {
  const t = useMessages("workflows");
  const getAgentName = useAgentNames();
  return new Map(
    listeners.map(({ listener_id, agent, target }) => {
      const task = tasks.find(({ task_id }) => task_id === target)?.name ?? target;
      return [listener_id, t("listenerName", { agent: agent === null ? t("code") : getAgentName(agent), task })];
    }),
  );
}
