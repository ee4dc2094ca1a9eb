import type { Host } from '#features/hosts/contract.ts'
import type { Plan } from '#features/licences/contract.ts'
import { formatDate } from '#foundation/web/i18n/format.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'

/** The fields that an order of a trial sends. */
export const trialOf = ({ slug, price_total: { currency } }: Plan) =>
  ({ plan: slug, expected_total: { amount: '0', currency }, trial: true }) as const

export function toastTrial({ name, licence }: Host): void {
  const until = licence.trial_until ?? ''
  toastSuccess(() => m.sales_trial_begun({ name, date: formatDate(until) }))
}
