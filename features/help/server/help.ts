import { paths } from '#features/paths.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { locales, type Locale } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import { notFound } from '#foundation/server/http/http-error.ts'
import { isLocale, preferredLocale } from '#foundation/server/http/preferred-locale.ts'
import { servePublicPages, type PublicRequest } from '#foundation/server/http/public-pages/serve.ts'
import { sendPage } from '#foundation/server/http/public-pages/send-page.ts'
import { articleAddress } from './addresses.ts'
import { articlePage } from './article-page.ts'
import { indexPage, searchPage, sectionPage, type Visit } from './index-pages.ts'
import { hasPublicArticle, publicArticles, publicText, type PublicRow } from './public-queries.ts'
import { find } from './search.ts'
import { siteMap } from './site-map.ts'
import { style } from './style.ts'
import { serveVotes, voteIn } from './votes.ts'

export { articleAddress } from './addresses.ts'
export { addSection } from './sections.ts'
export { publish } from './publish.ts'
export { find } from './search.ts'
export { write } from './write.ts'

/** True while the help centre has something that everybody may read. Without it there are no public pages: 404. */
export const hasHelp = (app: App): Promise<boolean> => hasPublicArticle(app.db)

const MOST_TYPED = 200
const MOST_FOUND = 20

/** Serves the help centre without a script, each page in the language of its address, or of the browser where the address names none. */
export function serveHelp(server: FastifyInstance, app: App): void {
  servePublicPages(server, app, {
    base: '/help/',
    style,
    signIn: paths.signIn(),
    addresses: ['/help/', '/help/:one/', '/help/:one/:two/', '/help/:one/:two/:three/'],
    answer: (request, reply) => answer(app, request, reply),
    siteMap: async () => siteMap(app, await published(app)),
    more: (site) => serveVotes(site, app),
  })
}

async function published(app: App): Promise<PublicRow[]> {
  const articles = await publicArticles(app.db)
  if (articles.length === 0) throw notFound()
  return articles
}

async function answer(app: App, request: PublicRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { one = '', two = '', three = '' } = request.params
  const named = isLocale(one) ? one : undefined
  const [section, slug] = named ? [two, three] : [one, two]
  if (!named && three !== '') throw notFound()
  const locale = named ?? preferredLocale(request.headers['accept-language'])
  const articles = await published(app)
  const visit: Visit = { locale, isNamed: named !== undefined }
  const send = (page: Parameters<typeof sendPage>[2]['page'], isForAll = named !== undefined) =>
    sendPage(request, reply, { page, locale, isForAll })
  if (section === '') {
    const { q } = request.query
    const typed =
      typeof q === 'string' ? q.trim().slice(0, MOST_TYPED).replaceAll('\0', '').toWellFormed() : ''
    if (typed === '') return send(indexPage(app, visit, articles))
    const found = await find(app, { typed, locale, limit: MOST_FOUND })
    return send(searchPage(app, visit, typed, found), false)
  }
  const inside = articles.filter((each) => each.section === section)
  if (inside.length === 0) throw notFound()
  if (slug === '') return send(sectionPage(app, visit, inside))
  const article = inside.find((each) => each.slug === slug)
  if (!article) return moved(reply, articles, slug, named)
  const text = await publicText(app.db, article.id)
  if (!text) throw notFound()
  const vote = voteIn(request, article.id)
  return send(articlePage(app, visit, { article, text, vote, beside: inside }), named !== undefined && !vote)
}

/** An article that was moved to another section keeps its name: the former address leads on. */
function moved(
  reply: FastifyReply,
  articles: readonly PublicRow[],
  slug: string,
  locale: Locale | undefined,
): FastifyReply {
  const article = articles.find((each) => each.slug === slug)
  if (!article) throw notFound()
  const known = locales.find((each) => each === locale)
  return reply.redirect(articleAddress(article.section, slug, known), 301)
}
