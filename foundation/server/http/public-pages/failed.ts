import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Locale } from '#foundation/locale.ts'
import { PAGES_BASE } from '#foundation/page-path.ts'
import type { App } from '#foundation/server/app.ts'
import { errorText } from '#foundation/server/http/english-text.ts'
import { beginErrorReply } from '#foundation/server/http/error-response.ts'
import { html, type Html } from '#foundation/server/http/html.ts'
import type { HttpError } from '#foundation/server/http/http-error.ts'
import { isLocale, localeOf } from '#foundation/server/http/preferred-locale.ts'
import * as m from '#texts/messages.js'
import { publicFrame } from './frame.ts'
import { sendOwnPage } from './send-page.ts'

/** The addresses of the style sheet, of the first page, and of the sign-in. */
type Around = { style: string; home: string; signIn: string }

/** Answers what goes wrong on the routes of `server` with a page for people, from which they find on, instead of the JSON of a call. */
export function failWithPages(server: FastifyInstance, app: App, around: Around): void {
  server.setErrorHandler((error, request, reply) => {
    const problem = beginErrorReply(app, request, reply, error)
    const { status } = problem
    const locale = localeIn(request)
    const said = status === 404 ? missing(request, around, locale) : failed(request, problem, locale)
    const page = { locale, title: said.title, description: said.title, ...around }
    return sendOwnPage(reply, { page: publicFrame(app.config, page, said.body), locale, status })
  })
}

type Said = { title: string; body: Html }

function missing(request: FastifyRequest, { home, signIn }: Around, locale: Locale): Said {
  const title = m.ui_page_missing({}, { locale })
  // A site without any page yet has no first page either.
  const isFirst = request.url.split('?')[0] === home
  const body = html`<h1>${title}</h1>
    <p class="lead">${m.ui_page_missing_text({}, { locale })}</p>
    <p class="acts">
      <a class="button main-button" href="${isFirst ? `${PAGES_BASE}${signIn}` : home}"
        >${m.ui_page_missing_home({}, { locale })}</a
      >
    </p>`
  return { title, body }
}

/** A form that failed is sent again by going back to it, with all that was typed. */
function failed(request: FastifyRequest, { status, errors, retry_after_s }: HttpError, locale: Locale): Said {
  const title = m.ui_page_failed({}, { locale })
  const body = html`<h1>${title}</h1>
    <p class="lead">${errorText(errors[0]?.code ?? 'invalid', locale, retry_after_s)}</p>
    ${status >= 500 && html`<p>${m.ui_request_id({}, { locale })} <code>${request.id}</code></p>`}
    ${
      request.method === 'GET' &&
      html`<p class="acts">
        <a class="button main-button" href="${request.url}">${m.ui_retry({}, { locale })}</a>
      </p>`
    }`
  return { title, body }
}

/** The language that is a part of the address, or the one that its parameters or the browser name. */
const localeIn = (request: FastifyRequest): Locale =>
  request.url.split(/[/?]/u).find(isLocale) ?? localeOf(request)
