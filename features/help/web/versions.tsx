import { useQuery } from '@tanstack/react-query'
import {
  listHelpRevisions,
  updateHelpArticle,
  type HelpArticle,
  type HelpRevision,
} from '#features/help/staff-contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { m } from '#texts/messages.js'
import { refreshArticle } from './refresh.ts'
import { shownIn } from './words.ts'

type Props = DialogProps & { article: HelpArticle }

/** All that was published before; an earlier version comes back as a change that is not published yet. */
export function Versions({ article, ...dialog }: Props) {
  const query = useQuery({
    ...queryFor(listHelpRevisions, { params: { articleId: article.id } }),
    staleTime: 0,
  })
  return (
    <Dialog {...dialog} title={m.help_versions()} wide>
      <Loaded query={query} failed={m.help_load_failed()}>
        {({ items }) => (
          <List label={m.help_versions()}>
            {items.map((revision) => (
              <Row key={revision.revision} article={article} revision={revision} onDone={dialog.onClose} />
            ))}
          </List>
        )}
      </Loaded>
    </Dialog>
  )
}

type RowProps = { article: HelpArticle; revision: HelpRevision; onDone: () => void }

function Row({ article, revision, onDone }: RowProps) {
  const locale = useLocale()
  const { title, text, keywords } = revision
  const take = useAct(async () => {
    const answer = await call(updateHelpArticle, {
      params: { articleId: article.id },
      body: { title, text, keywords, version: article.version },
    })
    refreshArticle()
    if (answer.status !== 200) {
      toastError(m.help_save_failed, answer)
      return
    }
    toastSuccess(() => m.help_version_taken())
    onDone()
  })
  return (
    <ListRow
      title={m.help_version({ number: revision.revision })}
      detail={`${formatDateTime(revision.published_at)} · ${shownIn(title, locale)}`}
      actions={
        <Button size="small" pending={take.pending} onClick={take.run}>
          {m.help_version_take()}
        </Button>
      }
    />
  )
}
