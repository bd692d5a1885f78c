/** A new conversation with an agent chosen and, if given, a message written already. */
export function talkTo(agent: string, message?: string): string {
  return `/?${new URLSearchParams({ agent, ...(message === undefined ? {} : { message }) }).toString()}`;
}

/** Where everything about an agent stands. */
export const agentAt = (name: string): string => `/agents/${encodeURIComponent(name)}`;
