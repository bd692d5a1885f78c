import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { MessageCircle, Trash2 } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import type { ToolWithVersions } from "../../protocol/tools/stored-tool.ts";
import { buildChatAddress } from "../agents/agent-address.ts";
import { pickLanguage } from "../bilingual-text.ts";
import { useLanguage, useWords } from "../language.ts";
import { api } from "../full-api.ts";
import { BackLink } from "../ui/back-link.tsx";
import { ButtonLink } from "../ui/button-link.tsx";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { LoadFailure, Loading } from "../ui/notice.tsx";
import { Panel } from "../ui/panel.tsx";
import { showToast } from "../ui/toast.tsx";
import { ToolCode } from "./tool-code.tsx";
import { ParameterTable } from "./parameter-table.tsx";
import { listParameters, listReturnFields } from "./schema-parameters.ts";
import { ToolFacts } from "./tool-facts.tsx";
import styles from "./tool-page.module.css";
import { ToolVersionSelect } from "./tool-version-select.tsx";
import { WORDS } from "./words.ts";

/** The page of one tool. */
export function ToolPage({ name }: { readonly name: string }) {
  const say = useWords(WORDS);
  /** Undefined follows the current version. */
  const [version, setVersion] = useState<number>();
  const { data, error, refetch } = useQuery({
    queryKey: ["tool", name, version],
    queryFn: () => api.tool(name, version),
    placeholderData: keepPreviousData,
  });
  return (
    <Panel title={name}>
      <BackLink href="/tools" label={say("back")} />
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
  const say = useWords(WORDS);
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
            {say("askMaker")}
          </ButtonLink>
          <RemoveToolButton name={tool.name} />
        </div>
      </header>
      <ToolVersionSelect tool={tool} onChoose={onVersion} />
      <section className={styles["section"]}>
        <h2>{say("parameters")}</h2>
        {parameters.length === 0 ? (
          <p className={styles["quiet"]}>{say("noParameters")}</p>
        ) : (
          <ParameterTable rows={parameters} label={say("parameters")} />
        )}
      </section>
      {returnFields.length === 0 ? null : (
        <section className={styles["section"]}>
          <h2>{say("returns")}</h2>
          <ParameterTable rows={returnFields} label={say("returns")} withRequired={false} />
        </section>
      )}
      <section className={styles["section"]}>
        <h2>{say("code")}</h2>
        <ToolCode code={tool.code} />
      </section>
    </div>
  );
}

function RemoveToolButton({ name }: { readonly name: string }) {
  const say = useWords(WORDS);
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [isConfirming, setConfirming] = useState(false);
  const remove = async () => {
    await api.deleteTool(name);
    showToast(say("removed", { name }));
    navigate("/tools");
    queries.removeQueries({ queryKey: ["tool", name] });
    void queries.invalidateQueries({ queryKey: ["tools"] });
  };
  return (
    <>
      <Button look="danger" onClick={() => setConfirming(true)}>
        <Trash2 size={16} aria-hidden />
        {say("remove")}
      </Button>
      {isConfirming ? (
        <ConfirmDialog
          title={say("removeTitle", { name })}
          action={say("remove")}
          onConfirm={remove}
          onClose={() => setConfirming(false)}
        >
          <p>{say("removeMore")}</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}
