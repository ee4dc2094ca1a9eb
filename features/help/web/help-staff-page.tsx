import { useQuery } from '@tanstack/react-query'
import BookOpen from 'lucide-react/icons/book-open'
import { useState } from 'react'
import type { HelpSection } from '#features/help/section-contract.ts'
import { listHelp, type ListedArticle } from '#features/help/staff-contract.ts'
import { paths } from '#features/paths.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { formatDate } from '#foundation/web/i18n/format.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { useTitle } from '#foundation/web/title.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button, buttonClass } from '#foundation/web/ui/button.tsx'
import { EmptyState } from '#foundation/web/ui/empty-state.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { m } from '#texts/messages.js'
import { NewArticle } from './new-article.tsx'
import { EditSection, NewSection } from './section-dialogs.tsx'
import { shownIn, stateOf } from './words.ts'

type Open = 'section' | 'article' | HelpSection | undefined

/** The help centre as staff write it: its sections, and the articles in them. */
export function HelpStaffPage() {
  useTitle(m.help_title())
  const query = useQuery(queryFor(listHelp))
  const [open, setOpen] = useState<Open>()
  const sections = query.data?.sections ?? []
  const close = () => setOpen(undefined)
  // The link keeps its place while nobody knows: no button beside it moves.
  const isPublic = query.data?.articles.some(({ url }) => url !== null) ?? true
  return (
    <Page
      title={m.help_title()}
      description={m.help_staff_text()}
      actions={
        <>
          {isPublic ? (
            <a href="/help/" target="_blank" rel="noreferrer" className={buttonClass('secondary')}>
              {m.help_open()}
            </a>
          ) : null}
          <Button onClick={() => setOpen('section')}>{m.help_section_new()}</Button>
          <Button look="primary" disabled={sections.length === 0} onClick={() => setOpen('article')}>
            {m.help_article_new()}
          </Button>
        </>
      }
    >
      <Loaded query={query} failed={m.help_load_failed()}>
        {({ articles }) =>
          sections.length === 0 ? (
            <EmptyState
              icon={<BookOpen size={20} aria-hidden="true" />}
              title={m.help_empty()}
              action={<Button onClick={() => setOpen('section')}>{m.help_section_new()}</Button>}
            >
              {m.help_empty_text()}
            </EmptyState>
          ) : (
            sections.map((section) => (
              <Section
                key={section.id}
                section={section}
                articles={articles.filter(({ section_id }) => section_id === section.id)}
                onEdit={() => setOpen(section)}
              />
            ))
          )
        }
      </Loaded>
      {open === 'section' ? <NewSection open onClose={close} /> : null}
      {open === 'article' ? <NewArticle open onClose={close} sections={sections} /> : null}
      {typeof open === 'object' ? (
        <EditSection
          open
          onClose={close}
          section={sections.find(({ id }) => id === open.id) ?? open}
          isEmpty={!query.data?.articles.some(({ section_id }) => section_id === open.id)}
        />
      ) : null}
    </Page>
  )
}

type SectionProps = { section: HelpSection; articles: readonly ListedArticle[]; onEdit: () => void }

function Section({ section, articles, onEdit }: SectionProps) {
  const locale = useLocale()
  const title = shownIn(section.title, locale)
  return (
    <section className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-semibold">{title}</h2>
        <Button size="small" look="quiet" onClick={onEdit} aria-label={m.help_section_edit_named({ title })}>
          {m.help_section_edit()}
        </Button>
      </div>
      {articles.length === 0 ? (
        <p className="text-sm text-muted">{m.help_section_empty()}</p>
      ) : (
        <List label={title}>
          {articles.map((article) => (
            <ArticleRow key={article.id} article={article} />
          ))}
        </List>
      )}
    </section>
  )
}

function ArticleRow({ article }: { article: ListedArticle }) {
  const locale = useLocale()
  const state = stateOf(article)
  const { helpful, unhelpful } = article
  const votes = helpful + unhelpful === 0 ? m.help_no_votes() : m.help_votes({ helpful, unhelpful })
  return (
    <ListRow
      title={
        <TextLink to={paths.helpArticle(article.id)}>
          {shownIn(article.title, locale) || article.slug}
        </TextLink>
      }
      badge={
        <>
          <Badge tone={state.tone}>{state.text}</Badge>
          {article.is_published && article.has_changes ? (
            <Badge tone="warning">{m.help_state_changed()}</Badge>
          ) : null}
          {article.audience === 'staff' ? <Badge>{m.help_for_staff()}</Badge> : null}
        </>
      }
      detail={`${m.help_changed_on({ date: formatDate(article.changed_at) })} · ${votes}`}
    />
  )
}
