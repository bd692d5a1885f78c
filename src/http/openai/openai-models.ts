// The runtime and its agents as models of the OpenAI API.

import type * as z from "zod";
import type { Agent } from "../../protocol/agents/agent.ts";
import type { Operations } from "../api/operations.ts";
import type { modelSchema } from "./openai-descriptions.ts";
import { formatEnglish } from "../../language/messages.ts";
import { OpenAiError } from "./openai-error.ts";

/** The model name of the runtime itself. With this model, triage decides who answers. */
export const RUNTIME_MODEL = "orrery";

export type OpenAiModel = z.infer<typeof modelSchema>;

/** Returns the runtime and the enabled agents of the user. An agent with the name of the runtime is omitted. */
export async function listModels(operations: Operations): Promise<OpenAiModel[]> {
  const { agents } = await operations.agents({});
  const isCallable = ({ name, enabled }: Agent): boolean => enabled && name !== RUNTIME_MODEL;
  return [
    createModel(RUNTIME_MODEL, "orrery"),
    ...agents.filter(isCallable).map(({ name, source }) => createModel(name, source)),
  ];
}

/** Returns a model. Throws an `OpenAiError` (404) for an unknown name or a disabled agent. */
export async function getModel(operations: Operations, id: string): Promise<OpenAiModel> {
  const model =
    id === RUNTIME_MODEL
      ? createModel(RUNTIME_MODEL, "orrery")
      : (await listModels(operations)).find((known) => known.id === id);
  if (model !== undefined) return model;
  const sentence = formatEnglish("openai.unknownModel", { model: JSON.stringify(id.slice(0, 128)) });
  throw new OpenAiError(404, "model_not_found", sentence, { param: "model" });
}

function createModel(id: string, owner: string): OpenAiModel {
  return { id, object: "model", created: 0, owned_by: owner };
}
