import { useState } from 'react'
import type { FoundArticle } from '#features/help/contract.ts'
import { useArticles } from '#features/help/web/help.ts'
import type { CannedReply } from '#features/support/desk/contract.ts'
import { fillReply } from '#features/support/desk/rules.ts'
import type { Ticket } from '#features/support/tickets/contract.ts'
import type { Acts } from '#features/support/tickets/shapes.ts'
import { oneLine } from '#features/support/tickets/rules.ts'
import { storedSession } from '#foundation/web/api/stored-session.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { useCombobox, type ComboboxOption } from '#foundation/web/ui/combobox.ts'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { m } from '#texts/messages.js'
import { useColleagues, useCustomer } from './hooks.ts'
import { actTexts, hasActs } from './acts-text.ts'
import { fitting } from './fitting-replies.ts'
import { useReplies } from './reply-hooks.ts'
import { KeptReplies } from './kept-replies.tsx'

type Props = {
  open: boolean
  onClose: () => void
  /** Called when the picker is closed without a choice; `typed` is the text in its search field. */
  onLeave: (typed: string) => void
  onChoose: (words: string, acts: Acts) => void
  ticket: Ticket
}

/** Finds a canned reply by the typed text; arrows choose, Enter puts it into the message. */
export function ReplyPicker({ open, onLeave, onChoose, ticket }: Props) {
  const [typed, setTyped] = useState('')
  const [managing, setManaging] = useState(false)
  const query = useReplies()
  const { data } = query
  const language = useCustomer(ticket.customer?.id ?? '').data?.language
  const names = useNames(ticket)
  const colleagues = useColleagues().data?.items ?? []
  const replies = fitting(data?.items ?? [], typed, language)
  const articles = useArticles(typed)
  const { field, list, option } = useCombobox<CannedReply | FoundArticle>({
    typed,
    onType: setTyped,
    items: [...replies, ...articles],
    onChoose: (one) =>
      'url' in one
        ? onChoose(`[${one.title}](${one.url})`, {})
        : onChoose(fillReply(one.text, names), one.acts),
  })
  if (managing) return <KeptReplies open onClose={() => setManaging(false)} />
  return (
    <Dialog open={open} onClose={() => onLeave(typed)} title={m.desk_replies()} wide>
      <input {...field} aria-label={m.desk_replies_search()} placeholder={m.desk_replies_search()} />
      <div className="mt-3 empty:hidden">
        <Loaded query={query} failed={m.desk_replies_failed()} waiting={null} />
      </div>
      <div {...list} aria-label={m.desk_replies()} className="mt-3 max-h-80 overflow-y-auto empty:hidden">
        {replies.map((reply) => (
          <Choice key={reply.id} reply={reply} names={names} colleagues={colleagues} option={option(reply)} />
        ))}
        {articles.map((article) => (
          <ArticleChoice key={article.id} article={article} option={option(article)} />
        ))}
      </div>
      {data && replies.length + articles.length === 0 ? (
        <p className="mt-3 text-sm text-muted">
          {data.items.length === 0 ? m.desk_replies_none() : m.desk_none_found()}
        </p>
      ) : null}
      <div className="mt-4 flex justify-end">
        <Button size="small" look="quiet" onClick={() => setManaging(true)}>
          {m.desk_replies_manage()}
        </Button>
      </div>
    </Dialog>
  )
}

type ChoiceProps = {
  reply: CannedReply
  colleagues: readonly { id: string; name: string }[]
  names: ReturnType<typeof useNames>
  option: ComboboxOption
}

function Choice({ reply, names, colleagues, option }: ChoiceProps) {
  return (
    <div
      {...option}
      className={classNames(
        'cursor-pointer rounded-md px-3 py-2 text-sm',
        option['aria-selected'] && 'bg-hover',
      )}
    >
      <span className="flex items-baseline justify-between gap-3">
        <span className="font-medium">{reply.title}</span>
        <span className="text-xs text-muted uppercase">{reply.language}</span>
      </span>
      <span className="line-clamp-2 text-muted">{oneLine(fillReply(reply.text, names))}</span>
      {hasActs(reply.acts) ? (
        <span className="block text-xs text-muted">
          {m.desk_macro_does({ acts: actTexts(reply.acts, colleagues).join(' · ') })}
        </span>
      ) : null}
    </div>
  )
}

/** An article of the help centre: a link to it goes into the message. */
const ArticleChoice = ({ article, option }: { article: FoundArticle; option: ComboboxOption }) => (
  <div
    {...option}
    className={classNames(
      'cursor-pointer rounded-md px-3 py-2 text-sm',
      option['aria-selected'] && 'bg-hover',
    )}
  >
    <span className="font-medium">{m.help_insert({ title: article.title })}</span>
    <span className="line-clamp-2 text-muted">{article.excerpt}</span>
  </div>
)

/** Returns the names for a canned reply, '' while a name is unknown. `me` is the name that the customer sees: the text is for them. */
function useNames({ customer }: Ticket) {
  const me = storedSession.user()?.id
  const { data } = useColleagues()
  return { customer: customer?.name ?? '', me: data?.items.find(({ id }) => id === me)?.shown_as ?? '' }
}
