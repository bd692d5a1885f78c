import { useMutation } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import type { Agent } from "../../protocol/agents/agent.ts";
import type { ExecuteResponse } from "../../protocol/agents/app-config.ts";
import { useFormatter } from "../formatter.ts";
import { useLanguage, useWords } from "../language.ts";
import { toUserError } from "../user-error.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { api } from "../full-api.ts";
import { JsonView } from "../steps/json-view.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { TextArea } from "../ui/text-area.tsx";
import styles from "./agent-page.module.css";
import { filterByLanguage } from "../bilingual-text.ts";
import { WORDS } from "./words.ts";

/** Sends one request to an agent outside of any conversation and shows the result. */
export function TryAgentForm({ agent }: { readonly agent: Agent }) {
  const say = useWords(WORDS);
  const language = useLanguage();
  const [action, setAction] = useState("");
  const [isReadOnly, setReadOnly] = useState(false);
  const ask = useMutation({
    mutationFn: () => api.execute(agent.name, { action, language, ...(isReadOnly ? { scope: "read_only" } : {}) }),
  });
  const [example = ""] = filterByLanguage(
    language,
    agent.skills.flatMap(({ examples }) => examples),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask.mutate();
  };
  return (
    <form className={styles["try"]} onSubmit={submit}>
      <TextArea
        label={say("request")}
        hint={say("tryMore")}
        placeholder={example}
        rows={2}
        value={action}
        onChange={(event) => setAction(event.target.value)}
      />
      <div className={styles["actions"]}>
        <Button type="submit" disabled={ask.isPending || action.trim() === ""}>
          {say(ask.isPending ? "asking" : "send")}
        </Button>
        <label className={styles["choice"]}>
          <input type="checkbox" checked={isReadOnly} onChange={(event) => setReadOnly(event.target.checked)} />
          {say("readOnly")}
        </label>
      </div>
      <div aria-live="polite">
        {ask.error === null ? null : <p className={styles["error"]}>{toUserError(ask.error).message}</p>}
        {ask.data === undefined ? null : <ExecutionResult answer={ask.data} />}
      </div>
    </form>
  );
}

function ExecutionResult({ answer }: { readonly answer: ExecuteResponse }) {
  const say = useWords(WORDS);
  const format = useFormatter();
  const { success, response, tools_used: tools, result, error, execution_time: ms } = answer;
  return (
    <div className={styles["answer"]}>
      <p className={styles["badges"]}>
        <Badge tone={success ? "good" : "bad"}>{say(success ? "done" : "failed")}</Badge>
        <span>{format.duration(ms)}</span>
      </p>
      {error === undefined ? null : <p className={styles["error"]}>{error}</p>}
      {response === "" ? <p className={styles["quiet"]}>{say("noAnswer")}</p> : <Markdown text={response} />}
      {tools.length === 0 ? (
        <p className={styles["quiet"]}>{say("noTools")}</p>
      ) : (
        <p className={styles["badges"]}>
          <span>{say("toolsUsed")}</span>
          {[...new Set(tools)].map((tool) => (
            <code key={tool}>{tool}</code>
          ))}
        </p>
      )}
      {result === null ? null : (
        <details>
          <summary>{say("result")}</summary>
          <JsonView value={result} />
        </details>
      )}
    </div>
  );
}
