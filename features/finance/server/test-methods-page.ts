import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { paths } from '#features/paths.ts'
import { methodKinds, type MethodKind } from '#features/finance/rules.ts'
import { locales, type Locale } from '#foundation/locale.ts'
import { PAGES_BASE } from '#foundation/page-path.ts'
import type { App } from '#foundation/server/app.ts'
import { escapeHtml } from '#foundation/server/mail/escape-html.ts'
import * as m from '#texts/messages.js'
import type { TestMethodEvent } from './providers/test-events.ts'
import { testMethods, type TestMethod } from './providers/test-methods.ts'
import { pagePolicy, testPage } from './test-payments-html.ts'

type Post = (told: TestMethodEvent) => Promise<number>

const id = z.object({ id: z.string().check(z.regex(/^[\w-]{22}$/)) })
const asked = z.object({ kind: z.enum(methodKinds), locale: z.enum(locales) })
const form = z.object({
  method: z.enum(Object.keys(testMethods)),
  until: z.optional(z.string().check(z.regex(/^$|^20\d\d-(0[1-9]|1[0-2])$/))),
})

/** The page of the test provider that saves a method, at /dev/pay/methods/{id}: it posts the signed event that a real one would post. */
export function serveTestMethods(app: App, scope: FastifyInstance, post: Post): void {
  scope.get('/dev/pay/methods/:id', async (request, reply) => {
    const params = id.safeParse(request.params)
    const query = asked.safeParse(request.query)
    if (!params.success || !query.success) return reply.callNotFound()
    return reply
      .header('cache-control', 'no-store')
      .header('content-security-policy', pagePolicy)
      .type('text/html; charset=utf-8')
      .send(methodPage(app, params.data.id, query.data))
  })
  scope.post('/dev/pay/methods/:id', async (request, reply) => {
    const params = id.safeParse(request.params)
    const body = form.safeParse(request.body)
    if (!params.success || !body.success) return reply.callNotFound()
    const { method, until = '' } = body.data
    const saved = until === '' ? method : `${method} ${until}`
    const event = { id: randomUUID(), kind: 'method_saved', method: params.data.id, saved } as const
    if ((await post(event)) !== 200) return reply.code(502).send('')
    return reply.redirect(backTo(params.data.id), 303)
  })
}

const backTo = (method: string) => `${PAGES_BASE}${paths.finances({ method })}`

const labels: Record<TestMethod, typeof m.finance_test_method_pays> = {
  pays: m.finance_test_method_pays,
  declines: m.finance_test_method_declines,
  lost: m.finance_test_method_lost,
  asks: m.finance_test_method_asks,
  debit: m.finance_test_method_debit,
  paypal: m.finance_test_method_paypal,
}

function methodPage(
  app: App,
  method: string,
  { kind, locale }: { kind: MethodKind; locale: Locale },
): string {
  const title = m.finance_test_method_title({}, { locale })
  const note = m.finance_test_method_note({}, { locale })
  const choices = Object.entries(testMethods)
    .filter(([, details]) => details.kind === kind)
    .map(([name, { last4 }], place) => choice(name, last4, place === 0, locale))
  const until =
    kind === 'card'
      ? `<label>${escapeHtml(m.finance_test_method_until({}, { locale }))}<input name="until" type="month" min="2000-01" max="2099-12"></label>`
      : ''
  return testPage(app.config.operator, locale, { title, note })(`
<form method="post" action="/dev/pay/methods/${method}"><fieldset>${choices.join('')}</fieldset>${until}
<button class="main">${escapeHtml(m.finance_test_method_save({}, { locale }))}</button></form>
<p><a href="${PAGES_BASE}${paths.finances({})}">${escapeHtml(m.finance_test_page_back({}, { locale }))}</a></p>`)
}

function choice(name: string, last4: string, isFirst: boolean, locale: Locale): string {
  const says = Object.entries(labels).find(([label]) => label === name)?.[1]({}, { locale }) ?? ''
  const number = last4 === '' ? '' : `•••• ${last4}: `
  return `<label class="choice"><input type="radio" name="method" value="${name}"${isFirst ? ' checked' : ''}> ${escapeHtml(number + says)}</label>`
}
