// URLs of hosted agents: agents that the deployment runs from the stored data of a user. Such a URL is valid only on
// the bindings between entrypoints of one deployment. It is a capability: a caller that can send it acts for that user.

export type HostedAgentRef = { readonly user_id: string; readonly name: string };

/** Formats the URL of a hosted agent. The host name has no meaning, because the binding determines the target. */
export function formatHostedAgentUrl({ user_id, name }: HostedAgentRef): string {
  return `https://hosted.agent/${encodeURIComponent(user_id)}/${encodeURIComponent(name)}`;
}

/**
 * Parses the URL of a hosted agent. Returns null if its path does not name a user and an agent. Throws a TypeError if
 * `url` is not a URL.
 */
export function parseHostedAgentUrl(url: string): HostedAgentRef | null {
  const [, user, agent, ...rest] = new URL(url).pathname.split("/");
  if (user === undefined || agent === undefined || rest.length > 0) return null;
  try {
    const parsed = { user_id: decodeURIComponent(user), name: decodeURIComponent(agent) };
    return parsed.user_id === "" || parsed.name === "" ? null : parsed;
  } catch {
    return null;
  }
}
