import { route } from '#foundation/contract.ts'
import { changedReply } from '#foundation/versions.ts'
import { permission, staff } from '#foundation/roles.ts'
import {
  attempt,
  attemptList,
  changeErrors,
  endpoint,
  endpointList,
  eventParams,
  makeErrors,
  newOperatorEndpoint,
  operatorChange,
  params,
  replayFrom,
  withSecret,
} from './contract.ts'

/** The webhook endpoints of the operator: they get the events of all accounts, in order for each. */

export const webhooksPermission = permission('webhooks.manage', ['admin'])

const access = staff(webhooksPermission, 'none')
const proven = { ...access, proof: 'recent' } as const

export const listOperatorEndpoints = route({
  id: 'listOperatorEndpoints',
  tag: 'Staff webhooks',
  method: 'GET',
  path: '/api/staff/webhooks/',
  access,
  summary: 'The webhook endpoints of the operator',
  replies: { 200: endpointList },
})

export const createOperatorEndpoint = route({
  id: 'createOperatorEndpoint',
  tag: 'Staff webhooks',
  method: 'POST',
  path: '/api/staff/webhooks/',
  access: proven,
  summary: 'Make a webhook endpoint of the operator',
  description:
    'It gets what happens from now on. The answer holds the secret that signs, which is shown this once',
  body: newOperatorEndpoint,
  replies: { 201: withSecret },
  errors: makeErrors,
})

export const getOperatorEndpoint = route({
  id: 'getOperatorEndpoint',
  tag: 'Staff webhooks',
  method: 'GET',
  path: '/api/staff/webhooks/{endpointId}/',
  access,
  summary: 'A webhook endpoint of the operator',
  params,
  replies: { 200: endpoint },
})

export const changeOperatorEndpoint = route({
  id: 'changeOperatorEndpoint',
  tag: 'Staff webhooks',
  method: 'PATCH',
  path: '/api/staff/webhooks/{endpointId}/',
  access,
  summary: 'Change, pause or enable an endpoint of the operator',
  description:
    'While it is paused its events wait; they are kept for 30 days. An edit of a former version is 409; another URL wants a recent proof',
  params,
  body: operatorChange,
  replies: { 200: endpoint, 409: changedReply(endpoint) },
  errors: changeErrors,
})

export const deleteOperatorEndpoint = route({
  id: 'deleteOperatorEndpoint',
  tag: 'Staff webhooks',
  method: 'DELETE',
  path: '/api/staff/webhooks/{endpointId}/',
  access,
  summary: 'Delete a webhook endpoint of the operator',
  params,
  replies: { 204: null },
})

export const replaceOperatorSecret = route({
  id: 'replaceOperatorSecret',
  tag: 'Staff webhooks',
  method: 'POST',
  path: '/api/staff/webhooks/{endpointId}/secret/',
  access: proven,
  summary: 'Replace the secret of an endpoint of the operator',
  description:
    'For 24 hours both secrets sign each request. The answer holds the new one, which is shown this once',
  params,
  replies: { 200: withSecret },
})

export const listOperatorAttempts = route({
  id: 'listOperatorAttempts',
  tag: 'Staff webhooks',
  method: 'GET',
  path: '/api/staff/webhooks/{endpointId}/attempts/',
  access,
  summary: 'The last 50 attempts of an endpoint of the operator',
  description: 'The newest first, each with its request and its answer',
  params,
  replies: { 200: attemptList },
})

export const testOperatorEndpoint = route({
  id: 'testOperatorEndpoint',
  tag: 'Staff webhooks',
  method: 'POST',
  path: '/api/staff/webhooks/{endpointId}/test/',
  access,
  summary: 'Send a test event to an endpoint of the operator',
  description: 'The answer is the attempt. It takes 15 seconds at most',
  limits: ['webhook_send'],
  params,
  replies: { 200: attempt },
})

export const sendOperatorEventAgain = route({
  id: 'sendOperatorEventAgain',
  tag: 'Staff webhooks',
  method: 'POST',
  path: '/api/staff/webhooks/{endpointId}/events/{seq}/',
  access,
  summary: 'Send one event to an endpoint of the operator again',
  description:
    'The answer is the attempt; 404 where the event is gone, after 30 days. The cursor stays where it is',
  limits: ['webhook_send'],
  params: eventParams,
  replies: { 200: attempt },
})

export const replayOperatorEvents = route({
  id: 'replayOperatorEvents',
  tag: 'Staff webhooks',
  method: 'POST',
  path: '/api/staff/webhooks/{endpointId}/replay/',
  access,
  summary: 'Send all events of the operator again from a moment on',
  description: 'The cursor goes back: events keep their ids, and come in order. Events are kept for 30 days',
  params,
  body: replayFrom,
  replies: { 200: endpoint },
})
