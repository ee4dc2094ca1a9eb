import { useEffect, useRef } from 'react'
import { orderPlans, type CataloguePlan } from '#features/catalogue/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { m } from '#texts/messages.js'
import { refreshPlans } from './hooks.ts'
import { planText } from './plan-text.ts'

type Props = { plan: CataloguePlan; plans: readonly CataloguePlan[] }

/** The buttons that move a plan up or down, one place at a time. The pressed button keeps the focus, so another press moves the plan on. */
export function MovePlan({ plan, plans }: Props) {
  const place = plans.indexOf(plan)
  const moved = useRef<-1 | 1>(undefined)
  const { withProof, dialog } = useReauthentication()
  useEffect(() => {
    // The row has moved in the document, which takes the focus away. At an end of the list the other button gets it: this one is disabled.
    const by = moved.current
    moved.current = undefined
    if (by === undefined) return
    const isEnd = by < 0 ? place === 0 : place === plans.length - 1
    document.getElementById(idOf(plan, isEnd ? (by === 1 ? -1 : 1) : by))?.focus()
  }, [place, plan, plans.length])
  const move = async (by: -1 | 1) => {
    const from = plans.map(({ slug }) => slug)
    const slugs = from.with(place, from[place + by] ?? '').with(place + by, plan.slug)
    const answer = await withProof(() => call(orderPlans, { body: { slugs, from } }))
    if (!answer) return
    if (answer.status === 200) {
      moved.current = by
      toastSuccess(() => m.catalogue_moved({ plan: planText(plan), place: String(place + by + 1) }))
    } else if (answer.status === 409) toastError(() => m.catalogue_order_changed())
    else toastError(() => m.catalogue_order_failed(), answer)
    refreshPlans()
  }
  const acts = { '-1': useAct(() => move(-1)), '1': useAct(() => move(1)) }
  return (
    <div className="flex gap-2">
      {([-1, 1] as const).map((by) => (
        <Button
          key={by}
          id={idOf(plan, by)}
          size="small"
          pending={acts[by].pending}
          disabled={by < 0 ? place === 0 : place === plans.length - 1}
          aria-label={
            by < 0
              ? m.catalogue_up_of({ plan: planText(plan) })
              : m.catalogue_down_of({ plan: planText(plan) })
          }
          onClick={acts[by].run}
        >
          <span aria-hidden>{by < 0 ? '\u2191' : '\u2193'}</span>
        </Button>
      ))}
      {dialog}
    </div>
  )
}

const idOf = ({ slug }: CataloguePlan, by: -1 | 1): string => `plan-${by < 0 ? 'up' : 'down'}-${slug}`
