import { deleteHelpArticle, listHelp, type HelpArticle } from '#features/help/staff-contract.ts'
import { paths } from '#features/paths.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { ActDialog } from '#foundation/web/form/act-dialog.tsx'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { TextLink, useGo } from '#foundation/web/navigation.tsx'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { m } from '#texts/messages.js'
import { shownIn } from './words.ts'

/** Deletes an article with its versions, and says before which other articles link to it. */
export function DeleteArticle({ article, ...dialog }: DialogProps & { article: HelpArticle }) {
  const locale = useLocale()
  const go = useGo()
  const { id, slug, title, linked_from } = article
  return (
    <ActDialog
      {...dialog}
      title={m.help_article_delete()}
      act={m.help_delete_for_good()}
      look="danger"
      submit={async (_fields, send) => {
        const answer = await send({}, () => call(deleteHelpArticle, { params: { articleId: id } }))
        if (!answer) return undefined
        if (answer.status !== 204 && answer.status !== 404) return answer
        refreshQueries(listHelp)
        toastSuccess(() => m.help_deleted_now())
        await go(paths.help())
        return undefined
      }}
    >
      <p className="font-medium break-words">{shownIn(title, locale) || slug}</p>
      <Alert tone="warning">{m.help_article_delete_text()}</Alert>
      {linked_from.length > 0 ? (
        <div className="flex flex-col gap-1 text-sm">
          <p>{m.help_linked_from()}</p>
          <ul className="list-disc pl-5">
            {linked_from.map((other) => (
              <li key={other.id}>
                <TextLink to={paths.helpArticle(other.id)}>{shownIn(other.title, locale)}</TextLink>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </ActDialog>
  )
}
