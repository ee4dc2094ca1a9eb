import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { searchHelp, searchStaffHelp, type FoundArticle } from '#features/help/contract.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { m } from '#texts/messages.js'
import { useLater } from './use-later.ts'

/** The address of the help centre in the reader's language; undefined until it is known, null while nothing is published. */
function useHelpAddress(): string | null | undefined {
  const language = useLocale()
  const { data } = useQuery({
    ...queryFor(searchHelp, { query: { language } }),
    staleTime: Infinity,
  })
  return data?.url
}

/**
 * The link to the help centre. Its room is there before the address is known, and stays without a link where there is none: below it nothing
 * moves, also where the link begins a line of its own.
 */
export function HelpLink() {
  const url = useHelpAddress()
  if (!url) return <span className="invisible font-medium">{m.help_title()}</span>
  return <ArticleLink url={url} title={m.help_title()} />
}

const ArticleLink = ({ url, title }: Pick<FoundArticle, 'url' | 'title'>) => (
  <a
    href={url}
    target="_blank"
    rel="noreferrer"
    className="font-medium text-accent-text underline-offset-4 hover:underline"
  >
    {title}
  </a>
)

const PAUSE_ms = 500
const LEAST_TYPED = 8
// The end of a long text says what it is about as well as all of it.
const MOST_ASKED = 600

type Props = {
  /** The text that a person has typed so far. */
  text: string
  /** One line that scrolls sideways, as above a field, instead of three below each other. */
  inLine?: boolean
}

/**
 * The articles that fit to what a person types. Their place is there before they are, and is not larger afterwards: nothing moves while
 * somebody types. While the help centre is empty there is no place at all.
 */
export function SuggestedArticles({ text, inLine = false }: Props) {
  const language = useLocale()
  const url = useHelpAddress()
  const typed = useLater(text.trim().slice(-MOST_ASKED), PAUSE_ms)
  const isAsked = typed.length >= LEAST_TYPED && Boolean(url)
  const { data } = useQuery({
    ...queryFor(searchHelp, { query: { language, q: typed } }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
    staleTime: 5 * 60_000,
    retry: false,
  })
  if (!url) return null
  const items = (isAsked && data?.items) || []
  // Beside a conversation each line is taken from its last message: there is one only with something to show.
  if (inLine && items.length === 0) return null
  return (
    <div className={inLine ? 'flex h-7 w-full items-center overflow-x-auto' : 'h-27 text-sm'}>
      {items.length === 0 ? (
        <p className="text-sm text-muted">{m.help_suggested_none()}</p>
      ) : (
        <>
          <p className={classNames('shrink-0 text-muted', inLine && 'mr-2 text-xs')}>{m.help_suggested()}</p>
          <ul aria-label={m.help_suggested()} className={inLine ? 'flex gap-3 text-xs' : 'mt-1'}>
            {items.map((article) => (
              <li key={article.id} className={inLine ? 'whitespace-nowrap' : 'truncate py-0.5'}>
                <ArticleLink {...article} />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

const NONE: readonly FoundArticle[] = []

/** The articles that fit to a search of staff, those for staff as well. */
export function useArticles(typed: string): readonly FoundArticle[] {
  const language = useLocale()
  const q = useLater(typed.trim(), PAUSE_ms / 2)
  const { data } = useQuery({
    ...queryFor(searchStaffHelp, { query: { language, q } }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })
  return q === '' ? NONE : (data?.items ?? NONE)
}
