// The form of an app, its validation, and the conversion to and from the configuration that the API takes.

import type { UiMessageKey } from "../../../session/language.ts";
import { appConfigSchema, type AppConfig, type AppConfigInput } from "../../../../protocol/agents/app-config.ts";
import type { UntrustedInputPolicy } from "../../../../protocol/provenance/untrusted-input-policy.ts";

/** The texts of the form. Both `url` with `headers` and `binding` are kept; `server` selects those that are sent. */
export type AppForm = {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly instructions: string;
  readonly server: "url" | "binding";
  readonly url: string;
  /** `name: value`, one header per line. */
  readonly headers: string;
  readonly binding: string;
  /** Tool names, separated by commas or white space. */
  readonly tools: string;
  readonly untrustedInput: UntrustedInputPolicy;
  /** Not editable in the form; kept from the JSON. */
  readonly skills: NonNullable<AppConfigInput["skills"]>;
};

/** The policy of a configuration that names none. */
const DEFAULT_POLICY: UntrustedInputPolicy = "ask";

export const EMPTY_APP_FORM: AppForm = {
  name: "",
  displayName: "",
  description: "",
  instructions: "",
  server: "url",
  url: "",
  headers: "",
  binding: "MCP_",
  tools: "",
  untrustedInput: DEFAULT_POLICY,
  skills: [],
};

type AppFormMessage = UiMessageKey<"agents">;
/** Message keys by field; a field without an error is absent. */
export type AppFormErrors = Partial<Record<keyof AppForm, AppFormMessage>>;

/**
 * Converts the form to the configuration to send, without validation. Texts are trimmed and empty optional fields are
 * omitted; headers are omitted if a line is not a header.
 */
export function toAppInput(form: AppForm): AppConfigInput {
  const headers = parseHeaderLines(form.headers) ?? {};
  const tools = form.tools.split(/[,，\s]+/).filter(Boolean);
  return {
    name: form.name.trim(),
    ...(form.displayName.trim() === "" ? {} : { display_name: form.displayName.trim() }),
    description: form.description.trim(),
    instructions: form.instructions,
    ...(form.skills.length === 0 ? {} : { skills: form.skills }),
    mcp:
      form.server === "binding"
        ? { binding: form.binding.trim() }
        : { url: form.url.trim(), ...(Object.keys(headers).length === 0 ? {} : { headers }) },
    ...(tools.length === 0 ? {} : { tools }),
    ...(form.untrustedInput === DEFAULT_POLICY ? {} : { untrusted_input: form.untrustedInput }),
  };
}

/** Converts a configuration to the form. */
export function toAppForm(app: AppConfig): AppForm {
  const { mcp } = app;
  const headers = "url" in mcp ? Object.entries(mcp.headers ?? {}) : [];
  return {
    ...EMPTY_APP_FORM,
    name: app.name,
    displayName: app.display_name ?? "",
    description: app.description,
    instructions: app.instructions,
    ...("url" in mcp ? { server: "url", url: mcp.url } : { server: "binding", binding: mcp.binding }),
    headers: headers.map(([name, value]) => `${name}: ${value}`).join("\n"),
    tools: (app.tools ?? []).join(", "),
    untrustedInput: app.untrusted_input ?? DEFAULT_POLICY,
    skills: app.skills,
  };
}

const VALIDATED_FIELDS: readonly (readonly [path: string, field: keyof AppForm, word: AppFormMessage])[] = [
  ["name", "name", "badName"],
  ["description", "description", "badDescription"],
  ["mcp", "url", "badMcpUrl"],
];

/** Returns the message keys of the errors by field; an empty object if the form can be sent. */
export function validateAppForm(form: AppForm): AppFormErrors {
  const issues = appConfigSchema.safeParse(toAppInput(form)).error?.issues ?? [];
  const errors: AppFormErrors = {};
  for (const [path, field, word] of VALIDATED_FIELDS) {
    if (!issues.some((issue) => issue.path[0] === path)) continue;
    if (path === "mcp" && form.server === "binding") errors.binding = "badBinding";
    else errors[field] = word;
  }
  if (form.server === "url" && parseHeaderLines(form.headers) === null) errors.headers = "badHeaders";
  return errors;
}

/** Parses `name: value` lines; null if a line is not a header. */
function parseHeaderLines(text: string): Record<string, string> | null {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const pairs = lines.map((line) => /^\s*([!#$%&'*+.^_`|~\w-]+)\s*:\s*(.*?)\s*$/.exec(line));
  if (pairs.includes(null)) return null;
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? "", pair?.[2] ?? ""]));
}

/**
 * `json`: the text is not JSON. `config`: it is not a valid configuration; `path` names the first invalid field, "JSON"
 * the whole text. `why` is the message of the parser, in English.
 */
type AppParseResult =
  | { readonly kind: "app"; readonly app: AppConfig }
  | { readonly kind: "json" | "config"; readonly path: string; readonly why: string };

/** Parses and validates a configuration in JSON. Never throws. */
export function parseAppJson(json: string): AppParseResult {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    return { kind: "json", path: "", why: error instanceof Error ? error.message : String(error) };
  }
  const parsed = appConfigSchema.safeParse(value);
  if (parsed.success) return { kind: "app", app: parsed.data };
  const [issue] = parsed.error.issues;
  const path = issue?.path.join(".") ?? "";
  return { kind: "config", path: path === "" ? "JSON" : path, why: issue?.message ?? "" };
}
