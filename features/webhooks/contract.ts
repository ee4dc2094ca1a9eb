import * as z from 'zod/mini'
import { liveEvent, route } from '#foundation/contract.ts'
import { moment, text, uuid } from '#foundation/fields.ts'
import { bigCount, count, named, time, urlText, uuidText } from '#foundation/printed.ts'
import { changedReply, version } from '#foundation/versions.ts'
import { published } from '#foundation/published.ts'
import { seeHosts } from '#features/hosts/contract.ts'
import { disabledReasons, endpointStates, MOST_SERVERS, MOST_TYPES } from './rules.ts'

/** Webhooks: endpoints of a customer that get the events of the account, in order, at least once. */

/** An endpoint changed, by its owner or by the product. */
export const WEBHOOKS_CHANGED = liveEvent('webhooks.changed')

/** The same for endpoints of the operator, for staff. */
export const STAFF_WEBHOOKS_CHANGED = liveEvent('webhooks.staff_changed')

export const webhookTested = published('webhook.test', {
  summary: 'Somebody pressed Test at an endpoint: that endpoint alone gets it, and no list holds it.',
  data: z.strictObject({ endpoint_id: z.string(), message: z.string() }),
  opens: seeHosts,
})

export const endpoint = z.strictObject({
  id: uuidText(),
  url: urlText(),
  description: z.string(),
  /** The kinds of events that it gets; all where the list is empty. */
  types: z.array(z.string()),
  /** The servers whose events it gets; all, and what is about no server, where the list is empty. */
  host_ids: z.array(z.string()),
  state: z.enum(endpointStates),
  /** `gone`: it answered 410. `failing`: nothing succeeded for three days. */
  disabled_why: z.nullable(z.enum(disabledReasons)),
  created_at: time(),
  last_ok_at: z.nullable(time()),
  failing_since: z.nullable(time()),
  /** The next attempt of an event that failed. */
  next_at: z.nullable(time()),
  /** The number of events that wait behind the cursor, of all kinds. */
  waiting: bigCount(),
  /** Among the last 50 attempts. */
  recent: z.strictObject({ succeeded: count(), failed: count() }),
  /** The numbers of events that failed so often that others went on. */
  skipped: z.array(bigCount()),
  /** Events before this moment were gone, after 30 days, before they were delivered. */
  missed_at: z.nullable(time()),
  /** Until then both secrets sign. */
  old_secret_until: z.nullable(time()),
  version,
})
named('WebhookEndpoint', endpoint)
export type Endpoint = z.infer<typeof endpoint>

export const attempt = z.strictObject({
  number: bigCount(),
  /** The number of the event; null for a test. */
  seq: z.nullable(bigCount()),
  event_id: z.string(),
  type: z.string(),
  at: time(),
  took_ms: count(),
  is_ok: z.boolean(),
  request: z.strictObject({
    url: urlText(),
    headers: z.record(z.string(), z.string()),
    /** Null where the event is gone, after 30 days. */
    body: z.nullable(z.string()),
  }),
  /** At most 2000 characters of the body. */
  answer: z.nullable(
    z.strictObject({ status: count(), headers: z.record(z.string(), z.string()), body: z.string() }),
  ),
  /** The reason why there is no answer, such as `slow`, `unreachable`, `address` or `tls`. */
  failure: z.nullable(z.string()),
})
named('WebhookAttempt', attempt)
export type Attempt = z.infer<typeof attempt>

export const params = z.strictObject({ endpointId: uuid })
export const eventParams = z.strictObject({
  endpointId: uuid,
  seq: z.string().check(z.regex(/^\d{1,15}$/, 'invalid')),
})

const url = text(2000)
const description = text(200)
const types = z
  .array(z.string().check(z.regex(/^[a-z_]+\.[a-z_]+$/, 'invalid')))
  .check(z.maxLength(MOST_TYPES, 'too_long'))
const host_ids = z
  .array(z.string().check(z.maxLength(64, 'invalid')))
  .check(z.maxLength(MOST_SERVERS, 'too_long'))

const newEndpoint = z.strictObject({
  url,
  description: z._default(description, ''),
  types: z._default(types, []),
  host_ids: z._default(host_ids, []),
})
export const newOperatorEndpoint = z.omit(newEndpoint, { host_ids: true })

const change = z.strictObject({
  url: z.optional(url),
  description: z.optional(description),
  types: z.optional(types),
  host_ids: z.optional(host_ids),
  /** `enabled` goes on where the cursor stands. */
  state: z.optional(z.enum(['enabled', 'paused'], { error: 'invalid' })),
  version,
})
export const operatorChange = z.omit(change, { host_ids: true })

export const endpointList = z.strictObject({
  items: z.array(endpoint),
  /** The kinds of events that there are, in order. */
  types: z.array(z.string()),
})
export const withSecret = z.extend(endpoint, { secret: z.string() })
export const attemptList = z.strictObject({ items: z.array(attempt) })
export const replayFrom = z.strictObject({ from: moment })

/** The errors of a URL or of kinds that nothing can be sent to. */
const urlErrors = ['invalid_url', 'https_required', 'address_not_allowed'] as const
export const makeErrors = {
  400: [...urlErrors, 'unknown_event_type', 'unknown_host'],
  409: ['too_many_webhooks'],
} as const
export const changeErrors = { 400: makeErrors[400], 403: ['reauthentication_required'] } as const

const own = { who: 'customer', acts: 'own' } as const
const ownWrite = { ...own, whileBlocked: 'allowed' } as const

export const listEndpoints = route({
  id: 'listEndpoints',
  tag: 'Webhooks',
  method: 'GET',
  path: '/api/webhooks/',
  access: own,
  summary: 'The webhook endpoints of your account',
  replies: { 200: endpointList },
})

export const createEndpoint = route({
  id: 'createEndpoint',
  tag: 'Webhooks',
  method: 'POST',
  path: '/api/webhooks/',
  access: { ...ownWrite, proof: 'recent' },
  summary: 'Make a webhook endpoint',
  description:
    'It gets what happens from now on. The answer holds the secret that signs, which is shown this once',
  body: newEndpoint,
  replies: { 201: withSecret },
  errors: makeErrors,
})

export const getEndpoint = route({
  id: 'getEndpoint',
  tag: 'Webhooks',
  method: 'GET',
  path: '/api/webhooks/{endpointId}/',
  access: own,
  summary: 'A webhook endpoint',
  params,
  replies: { 200: endpoint },
})

export const changeEndpoint = route({
  id: 'changeEndpoint',
  tag: 'Webhooks',
  method: 'PATCH',
  path: '/api/webhooks/{endpointId}/',
  access: ownWrite,
  summary: 'Change, pause or enable a webhook endpoint',
  description:
    'While it is paused its events wait; they are kept for 30 days. An edit of a former version is 409; another URL wants a recent proof',
  params,
  body: change,
  replies: { 200: endpoint, 409: changedReply(endpoint) },
  errors: changeErrors,
})

export const deleteEndpoint = route({
  id: 'deleteEndpoint',
  tag: 'Webhooks',
  method: 'DELETE',
  path: '/api/webhooks/{endpointId}/',
  access: ownWrite,
  summary: 'Delete a webhook endpoint',
  params,
  replies: { 204: null },
})

export const replaceSecret = route({
  id: 'replaceSecret',
  tag: 'Webhooks',
  method: 'POST',
  path: '/api/webhooks/{endpointId}/secret/',
  access: { ...ownWrite, proof: 'recent' },
  summary: 'Replace the secret of a webhook endpoint',
  description:
    'For 24 hours both secrets sign each request. The answer holds the new one, which is shown this once',
  params,
  replies: { 200: withSecret },
})

export const listAttempts = route({
  id: 'listAttempts',
  tag: 'Webhooks',
  method: 'GET',
  path: '/api/webhooks/{endpointId}/attempts/',
  access: own,
  summary: 'The last 50 attempts of a webhook endpoint',
  description: 'The newest first, each with its request and its answer',
  params,
  replies: { 200: attemptList },
})

export const testEndpoint = route({
  id: 'testEndpoint',
  tag: 'Webhooks',
  method: 'POST',
  path: '/api/webhooks/{endpointId}/test/',
  access: ownWrite,
  summary: 'Send a test event now',
  description: 'The answer is the attempt. It takes 15 seconds at most',
  limits: ['webhook_send'],
  params,
  replies: { 200: attempt },
})

export const sendEventAgain = route({
  id: 'sendEventAgain',
  tag: 'Webhooks',
  method: 'POST',
  path: '/api/webhooks/{endpointId}/events/{seq}/',
  access: ownWrite,
  summary: 'Send one event again now',
  description:
    'The answer is the attempt; 404 where the event is gone, after 30 days. The cursor stays where it is',
  limits: ['webhook_send'],
  params: eventParams,
  replies: { 200: attempt },
})

export const replayEvents = route({
  id: 'replayEvents',
  tag: 'Webhooks',
  method: 'POST',
  path: '/api/webhooks/{endpointId}/replay/',
  access: ownWrite,
  summary: 'Send all events again from a moment on',
  description: 'The cursor goes back: events keep their ids, and come in order. Events are kept for 30 days',
  params,
  body: replayFrom,
  replies: { 200: endpoint },
})
