/** Returns the path of a new conversation with the agent preselected and, if given, the message filled in, not sent. */
export function buildChatAddress(agent: string, message?: string): string {
  return `/?${new URLSearchParams({ agent, ...(message === undefined ? {} : { message }) }).toString()}`;
}

/** Returns the path of an agent's page. */
export const buildAgentAddress = (name: string): string => `/agents/${encodeURIComponent(name)}`;
