import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { MessageCircle, Trash2 } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import type { ToolWithVersions } from "../../../protocol/tools/stored-tool.ts";
import { buildChatAddress } from "../agents/agent-address.ts";
import { pickLanguage } from "../../ui/format/bilingual-text.ts";
import { useLanguage, useMessages } from "../../session/language.ts";
import { api } from "../../session/full-api.ts";
import { BackLink } from "../../ui/back-link.tsx";
import { ButtonLink } from "../../ui/button-link.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { LoadFailure, Loading } from "../../ui/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import { showToast } from "../../ui/toast.tsx";
import { ToolCode } from "./tool-code.tsx";
import { ParameterTable } from "./parameter-table.tsx";
import { listParameters, listReturnFields } from "./schema-parameters.ts";
import { ToolFacts } from "./tool-facts.tsx";
import styles from "./tool-page.module.css";
import { ToolVersionSelect } from "./tool-version-select.tsx";

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
