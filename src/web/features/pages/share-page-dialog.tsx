// Share links of a page: create, list, revoke.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { PageLink } from "../../../protocol/pages/stored-page.ts";
import { useFormatter } from "../../ui/format/formatter.ts";
import { useMessages } from "../../session/language.ts";
import { api } from "../../session/full-api.ts";
import { Button, CopyButton } from "../../ui/button.tsx";
import { Dialog } from "../../ui/overlay/dialog.tsx";
import { LoadFailure, Loading } from "../../ui/notice.tsx";
import { showToast, showErrorToast } from "../../ui/toast.tsx";
import styles from "./share-page-dialog.module.css";

const LINK_LIFETIMES = [
  ["hour", 3_600],
  ["day", 86_400],
  ["week", 7 * 86_400],
  ["month", 30 * 86_400],
] as const;

/** The URL of a link is shown only once, after it was created. */
export function SharePageDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const t = useMessages("pages");
  const links = useQuery({ queryKey: ["page", id, "links"], queryFn: async () => (await api.pageLinks(id)).links });
  return (
    <Dialog title={t("share")} onClose={onClose}>
      <div className={styles["share"]}>
        <p>{t("shareMore")}</p>
        <NewPageLinkForm id={id} links={links.data} />
        <h3>{t("links")}</h3>
        {links.isPending ? <Loading /> : null}
        {links.isError ? <LoadFailure error={links.error} onRetry={() => void links.refetch()} /> : null}
        {links.data?.length === 0 ? <p className={styles["quiet"]}>{t("noLinks")}</p> : null}
        <ul className={styles["links"]}>
          {links.data?.map((link) => (
            <PageLinkItem key={link.link_id} page={id} link={link} />
          ))}
        </ul>
      </div>
    </Dialog>
  );
}

function NewPageLinkForm({ id, links }: { readonly id: string; readonly links: readonly PageLink[] | undefined }) {
  const t = useMessages("pages");
  const queries = useQueryClient();
  const select = useId();
  const [seconds, setSeconds] = useState<number>(LINK_LIFETIMES[2][1]);
  const createLink = useMutation({
    mutationFn: () => api.linkPage(id, { expires_in: seconds }),
    onError: showErrorToast,
    onSuccess: () => queries.invalidateQueries({ queryKey: ["page", id, "links"] }),
  });
  const isRevoked = links?.some(({ link_id: link }) => link === createLink.data?.link_id) === false;
  return (
    <>
      <div className={styles["new"]}>
        <label htmlFor={select}>{t("linkLifetime")}</label>
        <select id={select} value={seconds} onChange={(event) => setSeconds(Number(event.target.value))}>
          {LINK_LIFETIMES.map(([name, span]) => (
            <option key={name} value={span}>
              {t(name)}
            </option>
          ))}
        </select>
        <Button look="primary" disabled={createLink.isPending} onClick={() => createLink.mutate()}>
          {t("createLink")}
        </Button>
      </div>
      {createLink.data === undefined || isRevoked ? null : (
        <div className={styles["made"]} role="status">
          <p>{t("copyLinkNow")}</p>
          <div className={styles["address"]}>
            <input
              readOnly
              aria-label={t("share")}
              value={createLink.data.url}
              onFocus={(event) => event.target.select()}
            />
            <CopyButton text={createLink.data.url} label={t("copyLink")} />
          </div>
        </div>
      )}
    </>
  );
}

function PageLinkItem({ page, link }: { readonly page: string; readonly link: PageLink }) {
  const t = useMessages("pages");
  const format = useFormatter();
  const queries = useQueryClient();
  const { link_id: id, created_at: madeAt, expires_at: endsAt } = link;
  const revoke = useMutation({
    mutationFn: () => api.unlinkPage(page, id),
    onError: showErrorToast,
    onSuccess: () => {
      showToast(t("revoked"));
      return queries.invalidateQueries({ queryKey: ["page", page, "links"] });
    },
  });
  return (
    <li>
      <span>{t("linkCreated", { made: format.dateTime(madeAt), expires: format.relativeTime(endsAt) })}</span>
      <Button look="danger" disabled={revoke.isPending} onClick={() => revoke.mutate()}>
        {t("revoke")}
      </Button>
    </li>
  );
}
