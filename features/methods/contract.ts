import * as z from 'zod/mini'
import { seeMoney } from '#foundation/capability.ts'
import { event, route } from '#foundation/contract.ts'
import { idempotencyKey } from '#foundation/idempotency.ts'
import { methodKinds, providerNames } from '#features/finance/rules.ts'
import { paymentMethod } from './shapes.ts'

/** Payment methods that are saved at a provider (decision 191): what they are called here, and never a number of a card. */

export { paymentMethod }
export type PaymentMethod = z.infer<typeof paymentMethod>

const params = z.strictObject({ methodId: z.string().check(z.regex(/^[\w-]{22}$/)) })

export const listMethods = route({
  id: 'listMethods',
  tag: 'Finances',
  method: 'GET',
  path: '/api/finances/methods/',
  access: { who: 'customer', acts: seeMoney },
  viewable: true,
  summary: 'The saved payment methods, the default one first',
  description: '`offered` names the kinds that can be saved, and by which provider',
  replies: {
    200: z.strictObject({
      items: z.array(paymentMethod),
      offered: z.array(z.strictObject({ provider: z.enum(providerNames), kind: z.enum(methodKinds) })),
    }),
  },
})

export const saveMethod = route({
  id: 'saveMethod',
  tag: 'Finances',
  method: 'POST',
  path: '/api/finances/methods/saving/',
  access: { who: 'customer', acts: 'own', proof: 'recent', whileBlocked: 'refused' },
  summary: 'Begin to save a payment method',
  description:
    "It is saved on the provider's page, `redirect_url`, and on the list once the provider confirms it. Needs a recent proof of identity.",
  headers: idempotencyKey,
  body: z.strictObject({ provider: z.enum(providerNames), kind: z.enum(methodKinds) }),
  replies: { 201: z.strictObject({ id: z.string(), redirect_url: z.string() }) },
  errors: {
    400: ['provider_not_offered'],
    409: ['too_many_methods'],
    422: ['idempotency_key_reused'],
    503: ['payment_provider_unavailable'],
  },
})

export const makeMethodDefault = route({
  id: 'makeMethodDefault',
  tag: 'Finances',
  method: 'POST',
  path: '/api/finances/methods/{methodId}/default/',
  access: { who: 'customer', acts: 'own', whileBlocked: 'allowed' },
  summary: 'Make a payment method the default one',
  params,
  replies: { 200: paymentMethod },
  errors: { 404: ['not_found'], 409: ['method_not_usable'] },
})

export const removeMethod = route({
  id: 'removeMethod',
  tag: 'Finances',
  method: 'DELETE',
  path: '/api/finances/methods/{methodId}/',
  access: { who: 'customer', acts: 'own', whileBlocked: 'allowed' },
  summary: 'Remove a payment method',
  description: 'Nothing is charged to it from now on, and the provider is made to forget it.',
  params,
  replies: { 204: null },
  errors: { 404: ['not_found'] },
})

/**
 * A method may be charged, or may not any more: `saved`; `paused` after a dispute or a decline for good; `removed` by its customer, its
 * provider, or with the account.
 */
export const methodChanged = event<{
  user_id: string
  method_id: string
  change: 'saved' | 'paused' | 'removed'
}>('methods.changed')
