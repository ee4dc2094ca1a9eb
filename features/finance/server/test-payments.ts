import * as z from 'zod/mini'
import { countryCodes } from '#features/profile/rules.ts'
import { PAGES_BASE } from '#foundation/page-path.ts'
import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '#foundation/server/app.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { takePaymentEvent } from '#features/finance/provider-calls.ts'
import {
  SIGNATURE_HEADER,
  signTestEvent,
  type TestEvent,
  type TestMethodEvent,
} from './providers/test-events.ts'
import { returnPath } from './return-path.ts'
import { paymentPage, pagePolicy, paymentStyles } from './test-payments-html.ts'
import { serveTestMethods } from './test-methods-page.ts'
import { guestOf } from './guest-queries.ts'
import type { TestPayment } from './test-payment.ts'
import { topUpByPublicId } from './top-up-queries.ts'

const kinds = { pay: 'paid', fail: 'failed', 'charge-back': 'charged_back', reinstate: 'reinstated' } as const

/**
 * The page of the test provider, at /dev/pay/{id}: each action is posted as a signed event to the address
 * where real providers post theirs. With the test provider anybody can fill a balance for nothing, so these addresses
 * do not exist in production, nor if PAYMENTS does not include `test`.
 */
export function serveTestPayments(server: FastifyInstance, app: App): void {
  if (app.config.production || !app.config.payments.includes('test')) return
  void server.register(async (scope) => {
    // A plain HTML form without a field is posted with this media type. It is accepted here only: elsewhere a body must be JSON.
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body.toString()))),
    )
    scope.get('/dev/pay/style.css', (_request, reply) =>
      reply.type('text/css; charset=utf-8').send(paymentStyles),
    )
    scope.get<ById>('/dev/pay/:id', async (request, reply) => {
      const topUp = await find(app, request)
      return topUp ? sendPage(app, reply, topUp) : reply.callNotFound()
    })
    serveTestMethods(app, scope, (told) => postEvent(server, app, told))
    scope.post<ById & { Params: { act: string } }>('/dev/pay/:id/:act', async (request, reply) => {
      const topUp = await find(app, request)
      const kind = Object.entries(kinds).find(([act]) => act === request.params.act)?.[1]
      if (!topUp || !kind) return reply.callNotFound()
      const { from = '' } = form.safeParse(request.body).data ?? {}
      const paid_from = from === '' ? {} : { paid_from: from }
      const stops_method = kind === 'charged_back'
      const event = { id: randomUUID(), kind, top_up: topUp.public_id, ...paid_from, stops_method }
      const status = await postEvent(server, app, event)
      if (status !== 200) return reply.code(502).send('')
      return reply.redirect(topUp.back, 303)
    })
  })
}

const form = z.object({ from: z.optional(z.enum(['', ...countryCodes])) })

type ById = { Params: { id: string } }

async function find(app: App, { params }: FastifyRequest<ById>): Promise<TestPayment | undefined> {
  if (!/^[\w-]{22}$/.test(params.id)) return undefined
  const topUp = await topUpByPublicId(app.db, params.id)
  const guest = topUp ? undefined : await guestOf(app.db, params.id)
  const locale = guest?.locale ?? (topUp && (await findUser(app.db, topUp.user_id))?.locale) ?? 'en'
  const status = guest?.event_id === null ? ('pending' as const) : ('paid' as const)
  const payment = topUp
    ? { ...topUp, locale, back: `${PAGES_BASE}${returnPath(topUp)}` }
    : guest && { ...guest, status, locale }
  return payment?.provider === 'test' ? payment : undefined
}

/** Sends an event to the route that real providers call, but without the network. Returns the status of the answer. */
async function postEvent(
  server: FastifyInstance,
  app: App,
  event: TestEvent | TestMethodEvent,
): Promise<number> {
  const payload = JSON.stringify(event)
  const { statusCode } = await server.inject({
    method: 'POST',
    url: takePaymentEvent.path.replace('{provider}', 'test'),
    headers: { 'content-type': 'application/json', [SIGNATURE_HEADER]: signTestEvent(app, payload) },
    payload,
  })
  return statusCode
}

async function sendPage(app: App, reply: FastifyReply, topUp: TestPayment): Promise<FastifyReply> {
  return reply
    .header('cache-control', 'no-store')
    .header('content-security-policy', pagePolicy)
    .type('text/html; charset=utf-8')
    .send(paymentPage(topUp, app.config))
}
