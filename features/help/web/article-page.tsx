import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getHelpArticle, listHelp, type HelpArticle } from '#features/help/staff-contract.ts'
import { paths } from '#features/paths.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { TextLink, usePathValue } from '#foundation/web/navigation.tsx'
import { useTitle } from '#foundation/web/title.ts'
import { Loaded, LoadedPage } from '#foundation/web/ui/loaded.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { m } from '#texts/messages.js'
import { ArticleActs } from './article-acts.tsx'
import { ArticleForm } from './article-form.tsx'
import { shownIn } from './words.ts'

/** One article, on which staff write: its words in each language, its place, its versions. */
export function ArticlePage() {
  const articleId = usePathValue('articleId')
  useTitle(m.help_article())
  const query = useQuery(queryFor(getHelpArticle, { params: { articleId } }))
  return (
    <LoadedPage query={query} title={m.help_article()} failed={m.help_load_failed()} gone={<Gone />}>
      {(article) => <Shown article={article} />}
    </LoadedPage>
  )
}

function Shown({ article }: { article: HelpArticle }) {
  const locale = useLocale()
  const help = useQuery(queryFor(listHelp))
  const [isUnsaved, setUnsaved] = useState(false)
  return (
    <Page
      title={shownIn(article.title, locale) || m.help_article()}
      description={<TextLink to={paths.help()}>{m.help_back()}</TextLink>}
      actions={<ArticleActs article={article} isUnsaved={isUnsaved} />}
    >
      <Loaded query={help} failed={m.help_load_failed()} waiting="h-[40rem]">
        {({ sections }) => <ArticleForm article={article} sections={sections} onUnsaved={setUnsaved} />}
      </Loaded>
    </Page>
  )
}

const Gone = () => (
  <Page title={m.help_article_gone()}>
    <p className="text-sm">
      <TextLink to={paths.help()}>{m.help_back()}</TextLink>
    </p>
  </Page>
)
