import { useQuery } from '@tanstack/react-query'
import { getFinances } from '#features/finance/contract.ts'
import type { ProviderName } from '#features/finance/rules.ts'
import { leaveFor, providerIn } from '#features/finance/web/finance.ts'
import { getTerms } from '#features/legal/contract.ts'
import type { PaymentMethod } from '#features/methods/contract.ts'
import { methodIn, useUsableMethods } from '#features/methods/web/methods.ts'
import { paths } from '#features/paths.ts'
import { createCheckout, listCheckouts } from '#features/sales/checkouts.ts'
import type { InputOf } from '#foundation/contract.ts'
import { amountOf, type Money } from '#foundation/money.ts'
import { call } from '#foundation/web/api/call.ts'
import { queryFor, refreshQueries } from '#foundation/web/api/query.ts'
import type { FormFields } from '#foundation/web/form/form-fields.ts'
import { useIntention } from '#foundation/web/form/intention.ts'
import type { FormError } from '#foundation/web/form/use-form.ts'
import { useGo } from '#foundation/web/navigation.tsx'
import { refusedOrder } from './refused-order.ts'

/** A payment of what the balance lacks for an order: what lacks, what is to be paid, and how. */
export type Paying = {
  missing: Money
  due: Money
  providers: readonly ProviderName[]
  /** The saved methods, the default one first. */
  methods: readonly PaymentMethod[]
}

/** Returns the payment that brings what lacks; undefined where nothing lacks, and where no way to pay is offered. */
export function usePaying(missing: Money | undefined): Paying | undefined {
  const { data } = useQuery({ ...queryFor(getFinances), staleTime: 0 })
  const methods = useUsableMethods(missing !== undefined)
  if (!missing || !data || data.top_up.providers.length === 0) return undefined
  const { min, providers } = data.top_up
  return { missing, due: amountOf(missing) < amountOf(min) ? min : missing, providers, methods }
}

type Order = Omit<InputOf<typeof createCheckout>['body'], 'provider' | 'method' | 'expected_payment'>

/**
 * Returns a function that begins an order and goes on to the provider's page, or to the details of the bank transfer; it returns the errors
 * of a refusal. The order is kept by the server: nothing is lost if that page is closed.
 */
export function usePayOrder(onClose: () => void) {
  const send = useIntention()
  const go = useGo()
  return async (
    { due, providers }: Pick<Paying, 'due' | 'providers'>,
    fields: Pick<FormFields, 'text' | 'checked'>,
    order: Order,
  ): Promise<{ refused: Parameters<typeof refusedOrder>[0] & FormError } | undefined> => {
    const method = methodIn(fields)
    const way = method === undefined ? { provider: providerIn(fields, providers) } : { method }
    const body = { ...order, ...way, expected_payment: due }
    const answer = await send(body, (headers) => call(createCheckout, { headers, body }))
    if (answer.status !== 201) {
      // The balance has changed in another tab, or by a renewal.
      if (answer.errors.some(({ code }) => BALANCE_CODES.has(code))) refreshQueries(getFinances)
      return { refused: { ...answer, ...refusedOrder(answer) } }
    }
    refreshQueries(getTerms)
    refreshQueries(listCheckouts)
    const { id, top_up } = answer.body
    if (top_up.redirect_url !== null) {
      await leaveFor(top_up.redirect_url)
      return undefined
    }
    onClose()
    await go(paths.finances({ checkout: id }))
    return undefined
  }
}

const BALANCE_CODES = new Set(['balance_suffices', 'payment_changed'])
