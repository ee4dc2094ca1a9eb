import { useState } from 'react'
import { publishHelpArticle, withdrawHelpArticle, type HelpArticle } from '#features/help/staff-contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { toast, toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button, buttonClass } from '#foundation/web/ui/button.tsx'
import { m } from '#texts/messages.js'
import { DeleteArticle } from './delete-article.tsx'
import { refreshArticle } from './refresh.ts'
import { Versions } from './versions.tsx'
import { stateOf } from './words.ts'

type Props = {
  article: HelpArticle
  /** True while its form has words that are not saved: readers would get the words from before. */
  isUnsaved: boolean
}

/** The state of an article, and what may be done with it as a whole. */
export function ArticleActs({ article, isUnsaved }: Props) {
  const [deletes, setDeletes] = useState(false)
  const [showsVersions, setShowsVersions] = useState(false)
  const { id, version, is_published, has_changes, revision, url } = article
  const publish = useAct(async () => {
    if (isUnsaved) {
      toast({ type: 'warning', message: m.help_publish_unsaved })
      return
    }
    const answer = await call(publishHelpArticle, { params: { articleId: id }, body: { version } })
    refreshArticle()
    if (answer.status === 200) toastSuccess(() => m.help_published_now())
    else toastError(m.help_publish_failed, answer)
  })
  const withdraw = useAct(async () => {
    const answer = await call(withdrawHelpArticle, { params: { articleId: id } })
    refreshArticle()
    if (answer.status === 200) toastSuccess(() => m.help_withdrawn_now())
    else toastError(m.help_withdraw_failed, answer)
  })
  const state = stateOf(article)
  return (
    <>
      <Badge tone={state.tone}>{state.text}</Badge>
      {is_published && has_changes ? <Badge tone="warning">{m.help_state_changed()}</Badge> : null}
      {url === null ? null : (
        <a href={url} target="_blank" rel="noreferrer" className={buttonClass('secondary')}>
          {m.help_open_article()}
        </a>
      )}
      {revision > 0 ? <Button onClick={() => setShowsVersions(true)}>{m.help_versions()}</Button> : null}
      {is_published ? (
        <Button pending={withdraw.pending} onClick={withdraw.run}>
          {m.help_withdraw()}
        </Button>
      ) : null}
      <Button look="quiet" onClick={() => setDeletes(true)}>
        {m.help_delete()}
      </Button>
      {!is_published || has_changes ? (
        <Button look="primary" pending={publish.pending} onClick={publish.run}>
          {m.help_publish()}
        </Button>
      ) : null}
      {deletes ? <DeleteArticle open onClose={() => setDeletes(false)} article={article} /> : null}
      {showsVersions ? <Versions open onClose={() => setShowsVersions(false)} article={article} /> : null}
    </>
  )
}
