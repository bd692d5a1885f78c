// Where an agent is that the deployment runs out of what a user has stored. Such an address means something only on
// the bindings between entrypoints of one deployment: whoever can write it can act for that user.

export type Hosted = { readonly user_id: string; readonly name: string };

/** The address to call. The host means nothing: the binding is the way there. */
export function hostedUrl({ user_id, name }: Hosted): string {
  return `https://hosted.agent/${encodeURIComponent(user_id)}/${encodeURIComponent(name)}`;
}

/** Whom an address names; null when it names nobody. */
export function hostedAt(url: string): Hosted | null {
  const [, user, agent, ...rest] = new URL(url).pathname.split("/");
  if (user === undefined || agent === undefined || rest.length > 0) return null;
  try {
    const named = { user_id: decodeURIComponent(user), name: decodeURIComponent(agent) };
    return named.user_id === "" || named.name === "" ? null : named;
  } catch {
    return null;
  }
}
