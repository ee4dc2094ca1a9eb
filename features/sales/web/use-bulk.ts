import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getTerms } from '#features/legal/contract.ts'
import { acceptedTerms, termsToAccept } from '#features/legal/rules.ts'
import { orderBulk, previewBulk, type BulkPreview } from '#features/sales/bulk-orders.ts'
import { paidBulkActs } from '#features/sales/rules.ts'
import { amountOf, toMoney, type Money } from '#foundation/money.ts'
import { call } from '#foundation/web/api/call.ts'
import { keepAnswer } from '#foundation/web/api/keep.ts'
import { keyOf, queryFor } from '#foundation/web/api/query.ts'
import { useIntention } from '#foundation/web/form/intention.ts'
import type { FormFields } from '#foundation/web/form/form-fields.ts'
import { useForm } from '#foundation/web/form/use-form.ts'
import { beginNow } from './begin-now.tsx'
import { refreshManyOrders } from './hooks.ts'
import { orderReference } from './order-reference.tsx'
import { usePaying, usePayOrder } from './use-paying.ts'

const FRESH_ms = 600_000

type Wish = Parameters<typeof call<typeof previewBulk>>[1]['body']
type Refused = Parameters<typeof keepAnswer>[0] & { body: unknown }
type Done = { servers: { id: string; name: string }[] }

type Options = {
  /** True once everything that the preview needs is chosen. */
  isReady: boolean
  more?: { auto_renew?: boolean }
  onDone: (done: Done) => void
  /** True if the form has a promo code to apply first (`usePromoCode`). */
  applies?: (fields: FormFields) => boolean
  /** Closes the dialog, where the order waits for its money. */
  onClose: () => void
}

export type Bulk = ReturnType<typeof useBulk>

/**
 * An action for many servers with its preview. The order sends the total that is shown. If the action costs another amount by now, the
 * answer is a new preview, and only another press of the button orders at the new total.
 */
export function useBulk(wish: Wish, { isReady, more = {}, applies, onDone, onClose }: Options) {
  const input = { body: wish }
  const query = useQuery({
    ...queryFor(previewBulk, input),
    enabled: isReady,
    staleTime: FRESH_ms,
    refetchInterval: FRESH_ms,
    gcTime: 0,
    placeholderData: keepPreviousData,
  })
  const [before, setBefore] = useState<{ total: Money; wish: string }>()
  const send = useIntention()
  // While another preview is loaded, the earlier one stays in sight, but cannot be ordered.
  const preview = isReady && !query.isPlaceholderData ? query.data : undefined
  const paying = usePaying(missingIn(preview))
  const payOrder = usePayOrder(onClose)
  const form = useForm(async (fields) => {
    if (!preview || applies?.(fields)) return undefined
    const agreed = {
      ...(wish.act === 'auto_renew' ? {} : { expected_total: preview.expected_total }),
      ...(wish.act === 'upgrade' ? { as_of: preview.as_of } : {}),
      ...orderReference(fields),
      ...acceptedTerms(fields),
      ...beginNow(fields),
    }
    const several = paying && severalIn(wish)
    if (several) {
      const refused = (await payOrder(paying, fields, { for: 'bulk', ...several, ...agreed }))?.refused
      return refused ? asShown(refused, preview) : undefined
    }
    const body = { ...wish, ...more, ...agreed }
    const answer = await send(body, (headers) => call(orderBulk, { headers, body }))
    if (answer.status === 200) {
      refreshManyOrders()
      onDone(answer.body)
      return undefined
    }
    return asShown(answer, preview)
  })
  /** Shows what a refused order would cost now, and the terms that it asks for. */
  function asShown<Answer extends Refused>(answer: Answer, shown: BulkPreview): Answer {
    const present = presentIn(answer.body)
    if (present) {
      setBefore({ total: shown.expected_total, wish: JSON.stringify(wish) })
      keepAnswer(answer, keyOf(previewBulk, input), present)
    } else void query.refetch()
    const asked = termsToAccept(answer.body)
    if (asked) keepAnswer(answer, keyOf(getTerms), asked)
    return answer
  }
  const total = before?.wish === JSON.stringify(wish) ? before.total : undefined
  return {
    form,
    preview,
    paying,
    query: { data: isReady ? query.data : undefined, error: query.error, refetch: query.refetch },
    before: total && total.amount !== preview?.expected_total.amount ? total : undefined,
  }
}

/** The amount that the owner's balance lacks for an order that is refused for nothing else. */
function missingIn(preview: BulkPreview | undefined): Money | undefined {
  if (!preview || preview.refused.length > 0) return undefined
  const short = preview.payments.filter(({ refusal }) => refusal !== null)
  const after = short.length === 1 ? short[0]?.balance_after : null
  return after ? toMoney(-amountOf(after), after.currency) : undefined
}

/** An order for several servers as a checkout takes it; undefined for settings, which cost nothing now. */
function severalIn({ act, plan, promo, host_ids, hosts }: Wish) {
  const paid = paidBulkActs.find((one) => one === act)
  if (!paid) return undefined
  const servers = { ...(host_ids && { host_ids }), ...(hosts && { hosts }) }
  return {
    bulk: { act: paid, ...servers },
    ...(plan !== undefined && { plan }),
    ...(promo !== undefined && { promo }),
  }
}

const presentIn = (body: unknown): BulkPreview | undefined =>
  ((body ?? {}) as { preview?: BulkPreview }).preview
