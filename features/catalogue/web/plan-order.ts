import { useEffect, useRef } from 'react'
import { listCatalogue, orderPlans, type CataloguePlan, type Edition } from '#features/catalogue/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { keepAnswer } from '#foundation/web/api/keep.ts'
import { keyOf } from '#foundation/web/api/query.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { m } from '#texts/messages.js'
import { refreshPlans } from './hooks.ts'

export type Sold = { edition: Edition; plans: readonly CataloguePlan[] }

/** Returns the editions with their plans, in the order in which customers see them; those without a plan come last. */
export function soldOf(editions: readonly Edition[], plans: readonly CataloguePlan[]): Sold[] {
  const placeOf = ({ slug }: Edition) => plans.findIndex(({ edition }) => edition === slug) >>> 0
  return editions
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .map((edition) => ({ edition, plans: plans.filter((plan) => plan.edition === edition.slug) }))
}

/** Returns the items with the one at `place` moved by one. */
const movedBy = <Item>(items: readonly Item[], place: number, by: -1 | 1): Item[] =>
  items.toSpliced(place, 1).toSpliced(place + by, 0, ...items.slice(place, place + 1))

type Move = { name: string; menu: string; place: number }

/** Moves an edition with its plans, or a plan within its edition. The menu that moved it keeps the focus, so that it moves on from there. */
export function usePlanOrder(sold: readonly Sold[], shown: readonly CataloguePlan[]) {
  const moved = useRef<{ menu: string; from: typeof shown }>(undefined)
  const { withProof, dialog } = useReauthentication()
  useEffect(() => {
    if (!moved.current || moved.current.from === shown) return
    // The row has moved in the document, which takes the focus away.
    document.querySelector<HTMLElement>(`#${moved.current.menu} button`)?.focus()
    moved.current = undefined
  }, [shown])
  const { run } = useAct(async (next: readonly Sold[], { name, menu, place }: Move) => {
    const slugs = next.flatMap(({ plans }) => plans.map(({ slug }) => slug))
    const answer = await withProof(() =>
      call(orderPlans, { body: { slugs, from: shown.map(({ slug }) => slug) } }),
    )
    if (!answer) return
    if (answer.status === 200) {
      moved.current = { menu, from: shown }
      keepAnswer(answer, keyOf(listCatalogue), answer.body)
      toastSuccess(() => m.catalogue_moved({ plan: name, place: String(place + 1) }))
      return
    }
    if (answer.status === 409) toastError(() => m.catalogue_order_changed())
    else toastError(() => m.catalogue_order_failed(), answer)
    refreshPlans()
  })
  return {
    dialog,
    moveEdition(place: number, by: -1 | 1, at: Omit<Move, 'place'>) {
      run(movedBy(sold, place, by), { ...at, place: place + by })
    },
    movePlan(of: Edition, place: number, by: -1 | 1, at: Omit<Move, 'place'>) {
      const next = sold.map(({ edition, plans }) => ({
        edition,
        plans: edition === of ? movedBy(plans, place, by) : plans,
      }))
      run(next, { ...at, place: place + by })
    },
  }
}
