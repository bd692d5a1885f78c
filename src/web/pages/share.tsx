// Share links of a page: create, list, revoke.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { PageLink } from "../../protocol/pages.ts";
import { useFormat } from "../format.ts";
import { useWords } from "../language.ts";
import { api } from "../runtime.ts";
import { Button } from "../ui/button.tsx";
import { Copy } from "../ui/copy.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Failure, Loading } from "../ui/notice.tsx";
import { toast, toastFailure } from "../ui/toast.tsx";
import styles from "./share.module.css";
import { WORDS } from "./words.ts";

const SPANS = [
  ["hour", 3_600],
  ["day", 86_400],
  ["week", 7 * 86_400],
  ["month", 30 * 86_400],
] as const;

export function Share({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const say = useWords(WORDS);
  const links = useQuery({ queryKey: ["page", id, "links"], queryFn: () => api.pageLinks(id) });
  return (
    <Dialog title={say("share")} onClose={onClose}>
      <div className={styles["share"]}>
        <p>{say("linkLong")}</p>
        <NewLink id={id} links={links.data} />
        <h3>{say("links")}</h3>
        {links.isPending ? <Loading /> : null}
        {links.isError ? <Failure error={links.error} onRetry={() => void links.refetch()} /> : null}
        {links.data?.length === 0 ? <p className={styles["quiet"]}>{say("noLinks")}</p> : null}
        <ul className={styles["links"]}>
          {links.data?.map((link) => (
            <Link key={link.link_id} page={id} link={link} />
          ))}
        </ul>
      </div>
    </Dialog>
  );
}

function NewLink({ id, links }: { readonly id: string; readonly links: readonly PageLink[] | undefined }) {
  const say = useWords(WORDS);
  const queries = useQueryClient();
  const select = useId();
  const [seconds, setSeconds] = useState<number>(SPANS[2][1]);
  const made = useMutation({
    mutationFn: () => api.linkPage(id, seconds),
    onError: toastFailure,
    onSuccess: () => queries.invalidateQueries({ queryKey: ["page", id, "links"] }),
  });
  const isRevoked = links?.some(({ link_id: link }) => link === made.data?.link_id) === false;
  return (
    <>
      <div className={styles["new"]}>
        <label htmlFor={select}>{say("linkFor")}</label>
        <select id={select} value={seconds} onChange={(event) => setSeconds(Number(event.target.value))}>
          {SPANS.map(([name, span]) => (
            <option key={name} value={span}>
              {say(name)}
            </option>
          ))}
        </select>
        <Button look="primary" disabled={made.isPending} onClick={() => made.mutate()}>
          {say("makeLink")}
        </Button>
      </div>
      {made.data === undefined || isRevoked ? null : (
        <div className={styles["made"]} role="status">
          <p>{say("linkOnce")}</p>
          <div className={styles["address"]}>
            <input
              readOnly
              aria-label={say("share")}
              value={made.data.url}
              onFocus={(event) => event.target.select()}
            />
            <Copy text={made.data.url} label={say("copyLink")} />
          </div>
        </div>
      )}
    </>
  );
}

function Link({ page, link }: { readonly page: string; readonly link: PageLink }) {
  const say = useWords(WORDS);
  const format = useFormat();
  const queries = useQueryClient();
  const { link_id: id, created_at: madeAt, expires_at: endsAt } = link;
  const revoke = useMutation({
    mutationFn: () => api.unlinkPage(page, id),
    onError: toastFailure,
    onSuccess: () => {
      toast(say("revoked"));
      return queries.invalidateQueries({ queryKey: ["page", page, "links"] });
    },
  });
  return (
    <li>
      <span>{say("linkMade", { made: format.moment(madeAt), expires: format.distance(endsAt) })}</span>
      <Button look="danger" disabled={revoke.isPending} onClick={() => revoke.mutate()}>
        {say("revoke")}
      </Button>
    </li>
  );
}
