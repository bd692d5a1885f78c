import { useMutation } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import type { Agent } from "../../../protocol/agents/agent.ts";
import type { ExecuteResponse } from "../../../protocol/agents/app-config.ts";
import { useFormatter } from "../../ui/format/formatter.ts";
import { useLanguage, useMessages } from "../../session/language.ts";
import { toUserError } from "../../session/user-error.ts";
import { Markdown } from "../../ui/markdown/markdown.tsx";
import { api } from "../../session/full-api.ts";
import { JsonView } from "../../ui/format/json-view.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { TextArea } from "../../ui/field.tsx";
import styles from "./agent-page.module.css";
import { filterByLanguage } from "../../ui/format/bilingual-text.ts";

/**
 * A form that sends one request to an agent outside of any conversation, optionally with read-only scope, and shows the
 * result or the error.
 */
export function TryAgentForm({ agent }: { readonly agent: Agent }) {
  const t = useMessages("agents");
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
        label={t("request")}
        hint={t("tryMore")}
        placeholder={example}
        rows={2}
        value={action}
        onChange={(event) => setAction(event.target.value)}
      />
      <div className={styles["actions"]}>
        <Button type="submit" disabled={ask.isPending || action.trim() === ""}>
          {t(ask.isPending ? "sending" : "send")}
        </Button>
        <label className={styles["choice"]}>
          <input type="checkbox" checked={isReadOnly} onChange={(event) => setReadOnly(event.target.checked)} />
          {t("readOnly")}
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
  const t = useMessages("agents");
  const format = useFormatter();
  const { success, response, tools_used: tools, result, error, execution_time: ms } = answer;
  return (
    <div className={styles["answer"]}>
      <p className={styles["badges"]}>
        <Badge tone={success ? "good" : "bad"}>{t(success ? "done" : "failed")}</Badge>
        <span>{format.duration(ms)}</span>
      </p>
      {error === undefined ? null : <p className={styles["error"]}>{error}</p>}
      {response === "" ? <p className="quiet">{t("noAnswer")}</p> : <Markdown text={response} />}
      {tools.length === 0 ? (
        <p className="quiet">{t("noTools")}</p>
      ) : (
        <p className={styles["badges"]}>
          <span>{t("toolsUsed")}</span>
          {[...new Set(tools)].map((tool) => (
            <code key={tool}>{tool}</code>
          ))}
        </p>
      )}
      {result === null ? null : (
        <details>
          <summary>{t("result")}</summary>
          <JsonView value={result} />
        </details>
      )}
    </div>
  );
}
