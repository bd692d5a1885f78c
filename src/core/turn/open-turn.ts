// Opens the context of a turn: reads the person's agents and profile, and completes the request by the profile.

import type { Profile } from "../../protocol/agents/profile.ts";
import type { SendCommand } from "../../protocol/wire/commands.ts";
import type { Budget } from "../models/budget.ts";
import type { Ports } from "../ports.ts";
import type { TurnContext, TurnInput } from "./turn-context.ts";

/** Reads agents and profile at once and returns the context of one run of a turn. Rejects if the agents cannot be read. */
export async function openTurn<Input extends TurnInput>(
  ports: Ports,
  input: Input,
  budget: Budget,
): Promise<Input & TurnContext> {
  const [agents, profile] = await Promise.all([ports.agents.list(), ports.profile()]);
  return { ...input, request: applyProfile(input.request, profile), ports, budget, agents };
}

/**
 * Returns the request with the language, the time zone and the facts of the profile (F45, F88). The values of the message
 * win; its `user_profile` extends the stored one.
 */
export function applyProfile<Request extends SendCommand>(request: Request, profile: Profile): Request {
  const { name, language, timezone, facts = {} } = profile;
  const stored = { ...facts, ...(name === undefined ? {} : { name }) };
  const { user_profile: given, ...context } = request.context ?? {};
  const user_profile = isRecord(given) ? { ...stored, ...given } : (given ?? stored);
  const hasProfile = Object.keys(stored).length > 0;
  return {
    ...(language === undefined ? {} : { language }),
    ...(timezone === undefined ? {} : { timezone }),
    ...request,
    ...(hasProfile ? { context: { ...context, user_profile } } : {}),
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
