import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { MessageCircle, Trash2 } from "lucide-react";
import { useState, useId } from "react";
import { useLocation } from "wouter";
import type { ToolWithVersions } from "../../../protocol/tools/stored-tool.ts";
import { buildChatAddress } from "../agents/agent-address.ts";
import { pickLanguage } from "../../ui/format/bilingual-text.ts";
import { useLanguage, useMessages } from "../../session/language.ts";
import { api } from "../../session/full-api.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/overlay/dialog.tsx";
import { LoadFailure, Loading } from "../../ui/notice.tsx";
import { Panel, BackLink } from "../../ui/panel.tsx";
import { showToast } from "../../ui/toast.tsx";
import { ToolCode } from "./tool-code.tsx";
import { ParameterTable, listParameters, listReturnFields } from "./parameter-table.tsx";
import styles from "./tool-page.module.css";
import { useFormatter } from "../../ui/format/formatter.ts";
import { Badge } from "../../ui/badge.tsx";

/** The page of one tool, in its current or an older version: description, parameters, return value and code. */
export function ToolPage({ name }: { readonly name: string }) {
  const t = useMessages("tools");
  /** Undefined follows the current version. */
  const [version, setVersion] = useState<number>();
  const { data, error, refetch } = useQuery({
    queryKey: ["tool", name, version],
    queryFn: () => api.tool(name, { version }),
    placeholderData: keepPreviousData,
  });
  return (
    <Panel title={name}>
      <BackLink href="/tools" label={t("back")} />
      {data !== undefined ? (
        <ToolDetails tool={data} onVersion={setVersion} />
      ) : error === null ? (
        <Loading />
      ) : (
        <LoadFailure error={error} onRetry={() => void refetch()} />
      )}
    </Panel>
  );
}

function ToolDetails({
  tool,
  onVersion,
}: {
  readonly tool: ToolWithVersions;
  readonly onVersion: (version: number | undefined) => void;
}) {
  const t = useMessages("tools");
  const language = useLanguage();
  const parameters = listParameters(tool.parameters);
  const returnFields = tool.returns === undefined ? [] : listReturnFields(tool.returns);
  return (
    <div className={styles["sheet"]}>
      <header className={styles["section"]}>
        <p className={styles["description"]}>{pickLanguage(language, tool.description)}</p>
        <ToolFacts tool={tool} />
        <div className={styles["actions"]}>
          <ButtonLink href={buildChatAddress("toolsmith")} look="primary">
            <MessageCircle size={16} aria-hidden />
            {t("askToolsmith")}
          </ButtonLink>
          <RemoveToolButton name={tool.name} />
        </div>
      </header>
      <ToolVersionSelect tool={tool} onChoose={onVersion} />
      <section className={styles["section"]}>
        <h2>{t("parameters")}</h2>
        {parameters.length === 0 ? (
          <p className={styles["quiet"]}>{t("noParameters")}</p>
        ) : (
          <ParameterTable rows={parameters} label={t("parameters")} />
        )}
      </section>
      {returnFields.length === 0 ? null : (
        <section className={styles["section"]}>
          <h2>{t("returns")}</h2>
          <ParameterTable rows={returnFields} label={t("returns")} withRequired={false} />
        </section>
      )}
      <section className={styles["section"]}>
        <h2>{t("code")}</h2>
        <ToolCode code={tool.code} />
      </section>
    </div>
  );
}

function RemoveToolButton({ name }: { readonly name: string }) {
  const t = useMessages("tools");
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [isConfirming, setConfirming] = useState(false);
  const remove = async () => {
    await api.deleteTool(name);
    showToast(t("removed", { name }));
    navigate("/tools");
    queries.removeQueries({ queryKey: ["tool", name] });
    void queries.invalidateQueries({ queryKey: ["tools"] });
  };
  return (
    <>
      <Button look="danger" onClick={() => setConfirming(true)}>
        <Trash2 size={16} aria-hidden />
        {t("remove")}
      </Button>
      {isConfirming ? (
        <ConfirmDialog
          title={t("removeTitle", { name })}
          action={t("remove")}
          onConfirm={remove}
          onClose={() => setConfirming(false)}
        >
          <p>{t("removeMore")}</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}

/** Category, uses, creation time and last run of a tool, with the error of the run if it failed. */
function ToolFacts({ tool }: { readonly tool: ToolWithVersions }) {
  const t = useMessages("tools");
  const format = useFormatter();
  const { category, uses, last_run: run, created_at: created } = tool;
  return (
    <>
      <p className={styles["facts"]}>
        <Badge tone="info">{t(category)}</Badge>
        <Badge tone={run.status === "completed" ? "good" : "bad"}>{t(run.status)}</Badge>
        <span>{t("uses", { count: uses })}</span>
        <span>
          {t("lastRun")} <TimeLabel at={run.at} words={format.relativeTime(run.at)} />
        </span>
        <span>
          {t("created")} <TimeLabel at={created} words={format.relativeTime(created)} />
        </span>
      </p>
      {run.error === undefined ? null : <p className={styles["error"]}>{run.error}</p>}
    </>
  );
}

function TimeLabel({ at, words }: { readonly at: number; readonly words: string }) {
  const format = useFormatter();
  return (
    <time dateTime={new Date(at).toISOString()} title={format.dateTime(at)}>
      {words}
    </time>
  );
}

/**
 * Selects the shown version; an older version has a note and a button back to the current one. `onChoose` receives
 * undefined for the current version.
 */
function ToolVersionSelect({
  tool,
  onChoose,
}: {
  readonly tool: ToolWithVersions;
  readonly onChoose: (version: number | undefined) => void;
}) {
  const t = useMessages("tools");
  const format = useFormatter();
  const id = useId();
  const current = tool.versions[0]?.version ?? tool.version;
  const choose = (version: number) => onChoose(version === current ? undefined : version);
  return (
    <section className={styles["section"]}>
      <div className={styles["versions"]}>
        <label htmlFor={id}>{t("versions")}</label>
        <select id={id} value={tool.version} onChange={(event) => choose(Number(event.target.value))}>
          {tool.versions.map(({ version, created_at: at }) => (
            <option key={version} value={version}>
              {t(version === current ? "currentVersionAt" : "versionAt", { version, when: format.dateTime(at) })}
            </option>
          ))}
        </select>
      </div>
      {tool.version === current ? null : (
        <div className={styles["older"]} role="status">
          <span>{t("oldVersion", { version: tool.version })}</span>
          <Button onClick={() => onChoose(undefined)}>{t("showCurrent")}</Button>
        </div>
      )}
    </section>
  );
}
