import { Webhook } from 'standardwebhooks'
import type { App } from '#foundation/server/app.ts'
import type { Outcome } from '#foundation/server/egress/egress.ts'
import { isSuccess } from '#features/webhooks/rules.ts'
import type { NewAttempt } from './attempt-queries.ts'
import { isOwnReceiver, receive } from './demo-receiver.ts'
import type { EndpointRow } from './queries.ts'
import { signingSecrets } from './secrets.ts'

/** One message to an endpoint: an event of the list, or a test, which has no number. */
export type Message = { id: string; seq: number | null; type: string; body: string }

export type Sent = { attempt: NewAttempt; isOk: boolean }

/** Sends a message, signed by all secrets that count now. Never throws for what the other side does. */
export async function send(app: App, endpoint: EndpointRow, message: Message): Promise<Sent> {
  const at = new Date()
  const { url } = endpoint
  const { id, seq, type, body } = message
  const signature = signingSecrets(app, endpoint, at)
    .map((secret) => new Webhook(secret).sign(id, at, body))
    .join(' ')
  const request = { headers: { ...USUAL_HEADERS, ...headersOf({ event_id: id, at, signature }) }, body }
  const outcome = isOwnReceiver(app, url)
    ? receive(app, url, request)
    : await app.config.egress.post(url, request)
  const facts = {
    endpoint_id: endpoint.id,
    user_id: endpoint.user_id,
    seq,
    event_id: id,
    type,
    url,
    at,
    signature,
  }
  return {
    attempt: { ...facts, body: seq === null ? body : null, took_ms: outcome.took_ms, ...answerOf(outcome) },
    isOk: 'answer' in outcome && isSuccess(outcome.answer.status),
  }
}

export const USUAL_HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'Hostdesk-Webhooks',
} as const

/** The headers of Standard Webhooks. */
export const headersOf = ({
  event_id,
  at,
  signature,
}: Pick<NewAttempt, 'event_id' | 'at' | 'signature'>) => ({
  'webhook-id': event_id,
  'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  'webhook-signature': signature,
})

const MOST_KEPT = 2_000
const MOST_HEADERS = 30

/** The part of an answer that is kept: anything may be in it. */
function answerOf(outcome: Outcome): Pick<NewAttempt, 'status' | 'answer_headers' | 'answer' | 'failure'> {
  if ('failure' in outcome)
    return { status: null, answer_headers: null, answer: null, failure: outcome.failure }
  const { status, headers, body } = outcome.answer
  const kept = headers
    .slice(0, MOST_HEADERS)
    .map(([name, value]) => [storable(name, 100), storable(value, 300)] as const)
  return {
    status,
    answer_headers: Object.fromEntries(kept),
    answer: storable(body, MOST_KEPT),
    failure: null,
  }
}

/** Text that the database can store, without NUL and lone surrogates. */
const storable = (text: string, most: number): string =>
  text.slice(0, most).toWellFormed().replaceAll('\0', '')
