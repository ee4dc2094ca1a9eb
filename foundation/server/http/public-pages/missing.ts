import type { FastifyReply, FastifyRequest } from 'fastify'
import { PAGES_BASE } from '#foundation/page-path.ts'
import type { Config } from '#foundation/server/config.ts'
import { html } from '#foundation/server/http/html.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { preferredLocale } from '#foundation/server/http/preferred-locale.ts'
import * as m from '#texts/messages.js'
import { publicFrame } from './frame.ts'
import { sendOwnPage } from './send-page.ts'

/** The addresses of the style sheet, of the first page, and of the sign-in. */
type Around = { style: string; home: string; signIn: string }

/** Answers a 404 with a page for people, from which they find on, instead of the JSON of a call; throws any other error. */
export function sendMissing(
  error: unknown,
  config: Config,
  { request, reply, around }: { request: FastifyRequest; reply: FastifyReply; around: Around },
): FastifyReply {
  if (!(error instanceof HttpError) || error.status !== 404) throw error
  const locale = preferredLocale(request.headers['accept-language'])
  // A site without any page yet has no first page either.
  const isFirst = request.url.split('?')[0] === around.home
  const to = isFirst ? `${PAGES_BASE}${around.signIn}` : around.home
  const title = m.ui_page_missing({}, { locale })
  const page = publicFrame(
    config,
    { locale, title, description: title, ...around },
    html`<h1>${title}</h1>
      <p class="lead">${m.ui_page_missing_text({}, { locale })}</p>
      <p class="acts">
        <a class="button main-button" href="${to}">${m.ui_page_missing_home({}, { locale })}</a>
      </p>`,
  )
  return sendOwnPage(reply, { page, locale, status: 404 })
}
