import * as z from 'zod/mini'
import { event, route } from '#foundation/contract.ts'
import { requiredText, uuid } from '#foundation/fields.ts'
import { moneyGiven } from '#foundation/money-given.ts'
import { pageOf, pageQuery } from '#foundation/paging.ts'
import { permission, staff } from '#foundation/roles.ts'
import { changedReply, version } from '#foundation/versions.ts'
import { readFinancePermission } from '#features/finance/contract.ts'
import { autoTopUpKinds } from './rules.ts'
import { autoTopUp, autoTopUpRun } from './shapes.ts'

/** Balances that fill themselves from a saved payment method (decision 193). */

export type AutoTopUp = z.infer<typeof autoTopUp>
export type AutoTopUpRun = z.infer<typeof autoTopUpRun>

const pauseAutoTopUpPermission = permission('auto_top_ups.pause', ['support', 'billing', 'admin'])

const publicId = z.string().check(z.regex(/^[\w-]{22}$/))
const runParams = z.strictObject({ runId: publicId })

export const getAutoTopUp = route({
  id: 'getAutoTopUp',
  tag: 'Finances',
  method: 'GET',
  path: '/api/finances/auto-top-up/',
  access: { who: 'customer', acts: 'own' },
  viewable: true,
  summary: 'The automatic top-up, and the charge that is on its way',
  replies: { 200: autoTopUp },
})

export const setAutoTopUp = route({
  id: 'setAutoTopUp',
  tag: 'Finances',
  method: 'PUT',
  path: '/api/finances/auto-top-up/',
  access: { who: 'customer', acts: 'own', proof: 'recent', whileBlocked: 'refused' },
  summary: 'Turn the automatic top-up on, or change it',
  description:
    'Goes on after a pause, too. With `cover` the saved method is charged for what the renewals of the next days lack, with `threshold` for `amount` when the balance is below `threshold`: never more than `month_limit` in a calendar month. Needs a recent proof of identity.',
  body: z.strictObject({
    method_id: publicId,
    kind: z._default(z.enum(autoTopUpKinds), 'cover'),
    month_limit: moneyGiven(),
    threshold: z.optional(moneyGiven()),
    amount: z.optional(moneyGiven()),
    version,
  }),
  replies: { 200: autoTopUp, 409: changedReply(autoTopUp) },
  errors: {
    400: ['amount_too_small', 'amount_too_large', 'provider_not_offered', 'amount_above_limit'],
    404: ['not_found'],
    409: ['method_not_usable', 'changed'],
  },
})

export const endAutoTopUp = route({
  id: 'endAutoTopUp',
  tag: 'Finances',
  method: 'DELETE',
  path: '/api/finances/auto-top-up/',
  access: { who: 'customer', acts: 'own', whileBlocked: 'allowed' },
  summary: 'Turn the automatic top-up off',
  description: 'A charge that was announced is cancelled; one that was sent to the provider is not.',
  replies: { 204: null },
})

export const listAutoTopUpRuns = route({
  id: 'listAutoTopUpRuns',
  tag: 'Finances',
  method: 'GET',
  path: '/api/finances/auto-top-up/runs/',
  access: { who: 'customer', acts: 'own' },
  viewable: true,
  summary: 'The charges of the automatic top-up, newest first',
  query: z.strictObject(pageQuery),
  replies: { 200: pageOf(autoTopUpRun) },
})

export const getAutoTopUpRun = route({
  id: 'getAutoTopUpRun',
  tag: 'Finances',
  method: 'GET',
  path: '/api/finances/auto-top-up/runs/{runId}/',
  access: { who: 'customer', acts: 'own' },
  viewable: true,
  summary: 'A charge of the automatic top-up',
  params: runParams,
  replies: { 200: autoTopUpRun },
  errors: { 404: ['not_found'] },
})

export const allowAutoTopUpRun = route({
  id: 'allowAutoTopUpRun',
  tag: 'Finances',
  method: 'POST',
  path: '/api/finances/auto-top-up/runs/{runId}/page/',
  access: { who: 'customer', acts: 'own', whileBlocked: 'allowed' },
  summary: 'Begin to allow a charge that waits for it',
  description: "It is allowed on the provider's page, `redirect_url`.",
  params: runParams,
  replies: { 200: z.strictObject({ redirect_url: z.string() }) },
  errors: { 404: ['not_found'], 409: ['run_not_waiting'], 503: ['payment_provider_unavailable'] },
})

const customerParams = z.strictObject({ userId: uuid })

export const getCustomerAutoTopUp = route({
  id: 'getCustomerAutoTopUp',
  tag: 'Staff finances',
  method: 'GET',
  path: '/api/staff/customers/{userId}/auto-top-up/',
  access: staff(readFinancePermission),
  summary: "A customer's automatic top-up",
  params: customerParams,
  replies: { 200: autoTopUp },
  errors: { 404: ['not_found'] },
})

export const pauseCustomerAutoTopUp = route({
  id: 'pauseCustomerAutoTopUp',
  tag: 'Staff finances',
  method: 'POST',
  path: '/api/staff/customers/{userId}/auto-top-up/pause/',
  access: staff(pauseAutoTopUpPermission),
  summary: "Pause a customer's automatic top-up",
  description: 'Nothing is charged until the customer turns it on again; who did it gets a mail.',
  params: customerParams,
  body: z.strictObject({ reason: requiredText(200) }),
  replies: { 200: autoTopUp },
  errors: { 403: ['own_account'], 404: ['not_found'], 409: ['auto_top_up_not_active'] },
})

/** A charge waits until its customer has allowed it, on the page of the run. */
export const chargeWaits = event<{ user_id: string; run: string }>('auto_top_ups.charge_waits')
/** An automatic top-up was paused, and not by its customer. */
export const autoTopUpPaused = event<{ user_id: string }>('auto_top_ups.paused')
