import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { MessageCircle, Trash2 } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import type { ToolWithVersions } from "../../protocol/tools.ts";
import { talkTo } from "../agents/address.ts";
import { halfFor } from "../bilingual.ts";
import { useLanguage, useWords } from "../language.ts";
import { api } from "../runtime.ts";
import { Back } from "../ui/back.tsx";
import { ButtonLink } from "../ui/button-link.tsx";
import { Button } from "../ui/button.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { Failure, Loading } from "../ui/notice.tsx";
import { Panel } from "../ui/panel.tsx";
import { toast } from "../ui/toast.tsx";
import { Code } from "./code.tsx";
import { ParameterTable } from "./parameter-table.tsx";
import { parametersOf, returnsOf } from "./parameters.ts";
import { ToolFacts } from "./tool-facts.tsx";
import styles from "./tool.module.css";
import { Versions } from "./versions.tsx";
import { WORDS } from "./words.ts";

/** The page of one tool. */
export function Tool({ name }: { readonly name: string }) {
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
      <Back href="/tools" label={say("back")} />
      {data !== undefined ? (
        <Sheet tool={data} onVersion={setVersion} />
      ) : error === null ? (
        <Loading />
      ) : (
        <Failure error={error} onRetry={() => void refetch()} />
      )}
    </Panel>
  );
}

function Sheet({
  tool,
  onVersion,
}: {
  readonly tool: ToolWithVersions;
  readonly onVersion: (version: number | undefined) => void;
}) {
  const say = useWords(WORDS);
  const language = useLanguage();
  const takes = parametersOf(tool.parameters);
  const returns = tool.returns === undefined ? [] : returnsOf(tool.returns);
  return (
    <div className={styles["sheet"]}>
      <header className={styles["section"]}>
        <p className={styles["description"]}>{halfFor(language, tool.description)}</p>
        <ToolFacts tool={tool} />
        <div className={styles["actions"]}>
          <ButtonLink href={talkTo("toolsmith")} look="primary">
            <MessageCircle size={16} aria-hidden />
            {say("askMaker")}
          </ButtonLink>
          <Remove name={tool.name} />
        </div>
      </header>
      <Versions tool={tool} onChoose={onVersion} />
      <section className={styles["section"]}>
        <h2>{say("parameters")}</h2>
        {takes.length === 0 ? (
          <p className={styles["quiet"]}>{say("noParameters")}</p>
        ) : (
          <ParameterTable rows={takes} label={say("parameters")} />
        )}
      </section>
      {returns.length === 0 ? null : (
        <section className={styles["section"]}>
          <h2>{say("returns")}</h2>
          <ParameterTable rows={returns} label={say("returns")} withRequired={false} />
        </section>
      )}
      <section className={styles["section"]}>
        <h2>{say("code")}</h2>
        <Code code={tool.code} />
      </section>
    </div>
  );
}

function Remove({ name }: { readonly name: string }) {
  const say = useWords(WORDS);
  const queries = useQueryClient();
  const [, go] = useLocation();
  const [isAsked, setAsked] = useState(false);
  const remove = async () => {
    await api.deleteTool(name);
    toast(say("removed", { name }));
    go("/tools");
    queries.removeQueries({ queryKey: ["tool", name] });
    void queries.invalidateQueries({ queryKey: ["tools"] });
  };
  return (
    <>
      <Button look="danger" onClick={() => setAsked(true)}>
        <Trash2 size={16} aria-hidden />
        {say("remove")}
      </Button>
      {isAsked ? (
        <Confirm
          title={say("removeTitle", { name })}
          action={say("remove")}
          onConfirm={remove}
          onClose={() => setAsked(false)}
        >
          <p>{say("removeMore")}</p>
        </Confirm>
      ) : null}
    </>
  );
}
