import { useState } from 'react'
import type { CataloguePlan } from '#features/catalogue/contract.ts'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { m } from '#texts/messages.js'
import { ChangePrice } from './change-price.tsx'
import { EditEdition } from './edit-edition.tsx'
import { EditionCard } from './edition-card.tsx'
import { useEditions, usePlans } from './hooks.ts'
import { soldOf, usePlanOrder } from './plan-order.ts'
import { MoveCustomers } from './move-customers.tsx'
import { RenamePlan } from './rename-plan.tsx'
import { useSale } from './use-sale.ts'
import { useUndoMove } from './use-undo-move.ts'

type Acting = { act: 'price' | 'rename' | 'move'; plan: CataloguePlan } | { act: 'edit'; slug: string }

/** The editions in the order in which customers see them, a card each, with their plans as rows. */
export function Plans({ mayEdit }: { mayEdit: boolean }) {
  const plans = usePlans()
  const editions = useEditions()
  const [acting, setActing] = useState<Acting>()
  const sold = soldOf(editions.data?.items ?? NONE, plans.data?.items ?? NONE)
  const order = usePlanOrder(sold, plans.data?.items ?? NONE)
  const { offer, dialog } = useSale()
  const undoing = useUndoMove()
  const close = () => setActing(undefined)
  const edited = sold.find(({ edition }) => acting?.act === 'edit' && edition.slug === acting.slug)
  const query = {
    data: plans.data && editions.data && { items: sold },
    error: plans.error ?? editions.error,
    refetch: () => Promise.all([plans.refetch(), editions.refetch()]),
  }
  const acts = {
    order,
    offer,
    onEdit: (slug: string) => setActing({ act: 'edit', slug }),
    onPrice: (plan: CataloguePlan) => setActing({ act: 'price', plan }),
    onRename: (plan: CataloguePlan) => setActing({ act: 'rename', plan }),
    onMove: (plan: CataloguePlan) => setActing({ act: 'move', plan }),
    undoMove: undoing.undo,
  }
  return (
    <>
      <LoadedList
        query={query}
        failed={m.catalogue_plans_failed()}
        waiting="h-80"
        none={m.catalogue_no_plans()}
      >
        {(items) =>
          items.map((item, place) => (
            <EditionCard
              key={item.edition.slug}
              sold={item}
              place={place}
              isLast={place === items.length - 1}
              acts={mayEdit ? acts : undefined}
            />
          ))
        }
      </LoadedList>
      {acting?.act === 'price' ? <ChangePrice plan={acting.plan} open onClose={close} /> : null}
      {acting?.act === 'rename' ? <RenamePlan plan={acting.plan} open onClose={close} /> : null}
      {acting?.act === 'move' ? (
        <MoveCustomers plan={acting.plan} plans={plans.data?.items ?? NONE} open onClose={close} />
      ) : null}
      {edited ? <EditEdition edition={edited.edition} onClose={close} /> : null}
      {order.dialog}
      {dialog}
      {undoing.dialog}
    </>
  )
}

const NONE: readonly never[] = []
