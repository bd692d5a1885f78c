import { useQueryClient } from "@tanstack/react-query";
import { Archive, FilePen, GitBranchPlus, Play, Rocket } from "lucide-react";
import { useState } from "react";
import type { PlanTemplate, TemplateStatus } from "../../protocol/plan-template.ts";
import { useWords } from "../language.ts";
import { api } from "../runtime.ts";
import { Button } from "../ui/button.tsx";
import { Menu, type MenuItem } from "../ui/menu.tsx";
import { toast, toastFailure } from "../ui/toast.tsx";
import { Change } from "./change.tsx";
import { Keep } from "./keep.tsx";
import { Start } from "./start.tsx";
import { WORDS } from "./words.ts";

type Asked = "start" | "version" | "release" | "archive" | null;

/** The actions that the status of a template allows. */
export function TemplateActions({ template }: { readonly template: PlanTemplate }) {
  const say = useWords(WORDS);
  const queries = useQueryClient();
  const [asked, setAsked] = useState<Asked>(null);
  const { plan_id, name, status } = template;
  const close = () => setAsked(null);
  const become = async (next: TemplateStatus) => {
    await api.setPlanTemplateStatus(plan_id, next);
    toast(say(({ draft: "isDraft", released: "isReleased", archived: "isArchived" } as const)[next], { name }));
    await Promise.all([
      queries.invalidateQueries({ queryKey: ["templates"] }),
      queries.invalidateQueries({ queryKey: ["template", plan_id] }),
    ]);
  };
  const draft: MenuItem = {
    label: say("makeDraft"),
    icon: <FilePen size={16} aria-hidden />,
    onSelect: () => void become("draft").catch(toastFailure),
  };
  const release: MenuItem = {
    label: say("release"),
    icon: <Rocket size={16} aria-hidden />,
    onSelect: () => setAsked("release"),
  };
  const version: MenuItem = {
    label: say("newVersion"),
    icon: <GitBranchPlus size={16} aria-hidden />,
    onSelect: () => setAsked("version"),
  };
  const archive: MenuItem = {
    label: say("archive"),
    icon: <Archive size={16} aria-hidden />,
    isDangerous: true,
    onSelect: () => setAsked("archive"),
  };
  const items = {
    draft: [version, release, archive],
    released: [version, draft, archive],
    archived: [draft],
  }[status];
  return (
    <>
      {status === "archived" ? null : (
        <Button look="primary" onClick={() => setAsked("start")}>
          <Play size={16} aria-hidden />
          {say("start")}
        </Button>
      )}
      <Menu items={items} />
      {asked === "start" ? <Start template={template} onClose={close} /> : null}
      {asked === "version" ? <Keep template={template} onClose={close} /> : null}
      {asked === "release" || asked === "archive" ? (
        <Change
          title={say(asked === "release" ? "releaseTitle" : "archiveTitle", { name })}
          words={say(asked === "release" ? "releaseMore" : "archiveMore")}
          action={say(asked)}
          isDangerous={asked === "archive"}
          onConfirm={() => become(asked === "release" ? "released" : "archived")}
          onClose={close}
        />
      ) : null}
    </>
  );
}
