import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { clientAddress } from '#foundation/server/http/client-address.ts'
import { notFound } from '#foundation/server/http/http-error.ts'
import { acceptForms } from '#foundation/server/http/public-pages/serve.ts'
import { isLocale } from '#foundation/server/http/preferred-locale.ts'
import { count } from '#foundation/server/limits/limits.ts'
import { articleAddress } from './addresses.ts'
import { countVote, publicArticles } from './public-queries.ts'

export type Vote = 'yes' | 'no'

const YEAR_s = 31_536_000

/** Returns the vote that this browser gave for an article: the one cookie of public pages, set by a vote. */
export function voteIn(request: FastifyRequest, article_id: string): Vote | undefined {
  const [, vote] =
    new RegExp(`(?:^|; )help_${article_id}=(yes|no)(?:;|$)`, 'u').exec(request.headers.cookie ?? '') ?? []
  return vote === 'yes' || vote === 'no' ? vote : undefined
}

/**
 * Serves the form below each article. A visitor is counted once: the browser keeps that it has voted, and a network counts once a day for an
 * article, and for some thirty articles. Nothing is kept that says who it was: the limits keep hashes for a day.
 */
export function serveVotes(server: FastifyInstance, app: App): void {
  acceptForms(server, 1024)
  server.post('/help/:language/:section/:slug/vote', (request: Voting, reply) => vote(app, request, reply))
}

type Voting = FastifyRequest<{
  Params: { language: string; section: string; slug: string }
  Body: { helpful?: string } | undefined
}>

async function vote(app: App, request: Voting, reply: FastifyReply): Promise<FastifyReply> {
  const { language, section, slug } = request.params
  const articles = await publicArticles(app.db)
  const article = articles.find((each) => each.section === section && each.slug === slug)
  if (!article || !isLocale(language)) throw notFound()
  const to = articleAddress(section, slug, language)
  const given = request.body?.helpful
  // The attack is a form on another site that makes its visitors vote.
  const isForeign = request.headers['sec-fetch-site'] === 'cross-site'
  if (isForeign || (given !== 'yes' && given !== 'no')) return reply.redirect(to, 303)
  const network = clientAddress(request, app.config.trustedProxies)
  if (!voteIn(request, article.id) && (await mayVote(app, article.id, network)))
    await transaction(app, 'system', (tx) => countVote(tx, article.id, given === 'yes'))
  return reply
    .header(
      'set-cookie',
      `help_${article.id}=${given}; Max-Age=${YEAR_s}; Path=/help/; HttpOnly; SameSite=Lax${app.config.publicOrigin.startsWith('https:') ? '; Secure' : ''}`,
    )
    .redirect(`${to}#vote`, 303)
}

async function mayVote(app: App, article_id: string, network: string): Promise<boolean> {
  const whole = await count(app, app.db, 'help_votes', network)
  return whole.allowed && (await count(app, app.db, 'help_vote', `${article_id} ${network}`)).allowed
}
