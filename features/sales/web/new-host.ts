import { createHost, type Host } from '#features/hosts/contract.ts'
import { orderHost } from '#features/sales/contract.ts'
import type { ChosenExtras, Plan } from '#features/licences/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { useIntention } from '#foundation/web/form/intention.ts'
import type { FormError } from '#foundation/web/form/use-form.ts'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'
import { applyOrder } from './hooks.ts'
import { refusedOrder } from './refused-order.ts'
import { toastTrial, trialOf } from './trial-order.ts'

/**
 * Returns the functions that make a host with a paid licence, a trial or a free licence, and confirm it by a toast.
 * Each of them returns the host, or the errors if it was refused.
 */
export function useNewHost() {
  const send = useIntention()
  return {
    async order(
      { slug, price_total }: Plan,
      named: {
        ipv4?: string
        name?: string
        order_reference?: string
        terms?: string
        begin_now?: true
        promo?: string
        extras?: ChosenExtras
      },
    ): Promise<Host | FormError> {
      const body = { ...named, plan: slug, expected_total: price_total }
      const answer = await send(body, (headers) => call(orderHost, { headers, body }))
      if (answer.status !== 201 && answer.status !== 200) return refusedOrder(answer)
      applyOrder(answer, answer.body.host)
      toastSuccess(() => m.sales_host_ordered({ name: answer.body.host.name }))
      return answer.body.host
    },
    async tryIt(
      plan: Plan,
      named: { ipv4?: string; name?: string; terms?: string },
    ): Promise<Host | FormError> {
      const body = { ...named, ...trialOf(plan) }
      const answer = await send(body, (headers) => call(orderHost, { headers, body }))
      if (answer.status !== 200) return refusedOrder(answer)
      applyOrder(answer, answer.body.host)
      toastTrial(answer.body.host)
      return answer.body.host
    },
    async add(body: { ipv4?: string; name?: string }): Promise<Host | FormError> {
      const answer = await send(body, (headers) => call(createHost, { headers, body }))
      if (answer.status === 201) {
        applyOrder(answer, answer.body)
        toastSuccess(() => m.hosts_created({ name: answer.body.name }))
        return answer.body
      }
      if (answer.errors.every(({ param }) => param === undefined)) toastError(() => m.hosts_create_failed())
      return answer
    },
  }
}
