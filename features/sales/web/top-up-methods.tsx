import { useEffect, useEffectEvent } from 'react'
import { acceptedTerms } from '#features/legal/rules.ts'
import { MethodChoices, methodIn, useUsableMethods } from '#features/methods/web/methods.ts'
import type { TopUpWay } from '#features/finance/slots.ts'
import { usePayOrder } from './use-paying.ts'

/** The saved payment methods among the ways to top up; the default one is preselected. Shows nothing without any. */
export function TopUpMethods({ onClose, takes }: { onClose: () => void; takes: (way: TopUpWay) => void }) {
  const methods = useUsableMethods(true)
  const payOrder = usePayOrder(onClose)
  const pay: TopUpWay = (fields, amount) => {
    if (methodIn(fields) === undefined) return undefined
    const order = { for: 'top_up', amount, ...acceptedTerms(fields) } as const
    return payOrder({ due: amount, providers: [] }, fields, order).then((answer) => answer?.refused)
  }
  const offers = methods.length > 0
  const offer = useEffectEvent(() => takes((fields, amount) => pay(fields, amount)))
  useEffect(() => {
    if (offers) offer()
  }, [offers])
  return <MethodChoices methods={methods} />
}
