// Gives an agent its model. Agents that need none do not load this file, and with it neither the model client nor the
// message catalogue.

import { createModel } from "../../models/create-model.ts";
import { describeError } from "../../protocol/wire/message-error.ts";
import { getSettings } from "../../settings.ts";
import type { AgentDefinition, ModelAgentDefinition } from "./agent.ts";

/**
 * Returns the agent with the model and the settings of its environment: `serveAgent(withModel(agent))`. Its errors are
 * described with the catalogue. A run fails if the settings are invalid.
 */
export function withModel(agent: ModelAgentDefinition): AgentDefinition {
  return {
    describeError,
    ...agent,
    run(request, context) {
      const settings = getSettings(context.env);
      return agent.run(request, { ...context, settings, model: createModel(settings, context.env) });
    },
  };
}
