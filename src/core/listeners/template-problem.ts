// A validation problem of a plan template.

/** A problem: `path` locates it in the template (for example `listeners.0.agent_id`), `message` describes it. */
export type TemplateProblem = { readonly path: string; readonly message: string };
