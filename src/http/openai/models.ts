// The runtime and its agents as models of the OpenAI API.

import type * as z from "zod";
import type { Agent } from "../../protocol/agent.ts";
import type { Verbs } from "../verbs.ts";
import type { modelSchema } from "./described.ts";
import { Refusal } from "./refusal.ts";

/** The model name of the runtime itself. With this model, triage decides who answers. */
export const RUNTIME = "orrery";

export type Model = z.infer<typeof modelSchema>;

/** Returns the runtime and the enabled agents of the user. An agent that is called like the runtime is omitted. */
export async function modelsFor(verbs: Verbs): Promise<Model[]> {
  const { agents } = await verbs.agents();
  const isOwn = ({ name, enabled }: Agent): boolean => enabled && name !== RUNTIME;
  return [modelOf(RUNTIME, "orrery"), ...agents.filter(isOwn).map(({ name, source }) => modelOf(name, source))];
}

/** Returns a model. Throws an `OpenAiError` (404) for an unknown name or a disabled agent. */
export async function modelNamed(verbs: Verbs, id: string): Promise<Model> {
  const model = id === RUNTIME ? modelOf(RUNTIME, "orrery") : (await modelsFor(verbs)).find((known) => known.id === id);
  if (model !== undefined) return model;
  const words = `There is no model ${JSON.stringify(id.slice(0, 128))}. GET /v1/models lists them.`;
  throw new Refusal(404, "model_not_found", words, { param: "model" });
}

function modelOf(id: string, owner: string): Model {
  return { id, object: "model", created: 0, owned_by: owner };
}
