import { useState } from 'react'
import type { CataloguePlan } from '#features/catalogue/contract.ts'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { m } from '#texts/messages.js'
import { EditionCard } from './edition-card.tsx'
import { useEditions, usePlans } from './hooks.ts'
import { soldOf, usePlanOrder } from './plan-order.ts'
import { RenamePlan } from './rename-plan.tsx'
import { useSale } from './use-sale.ts'
import { useUndoMove } from './use-undo-move.ts'

const ChangePrice = lazyPart(() => import('./change-price.tsx').then((file) => file.ChangePrice))
const MoveCustomers = lazyPart(() => import('./move-customers.tsx').then((file) => file.MoveCustomers))
const EditEdition = lazyPart(() => import('./edit-edition.tsx').then((file) => file.EditEdition))

/** The editions in the order in which customers see them, a card each, with their plans as rows. */
export function Plans({ mayEdit }: { mayEdit: boolean }) {
  const plans = usePlans()
  const editions = useEditions()
  const [chosen, setChosen] = useState<CataloguePlan>()
  const [renamed, setRenamed] = useState<CataloguePlan>()
  const [edited, setEdited] = useState<string>()
  const price = useLazyDialog(ChangePrice)
  const move = useLazyDialog(MoveCustomers)
  const edit = useLazyDialog(EditEdition)
  const sold = soldOf(editions.data?.items ?? NONE, plans.data?.items ?? NONE)
  const order = usePlanOrder(sold, plans.data?.items ?? NONE)
  const { offer, dialog } = useSale()
  const undoing = useUndoMove()
  const choose = (plan: CataloguePlan, dialog: typeof price | typeof move) => {
    setChosen(plan)
    dialog.show()
  }
  const edition = sold.find((one) => one.edition.slug === edited)?.edition
  const query = {
    data: plans.data && editions.data && { items: sold },
    error: plans.error ?? editions.error,
    refetch: () => Promise.all([plans.refetch(), editions.refetch()]),
  }
  const acts = {
    order,
    offer,
    onEdit: (slug: string) => {
      setEdited(slug)
      edit.show()
    },
    onPrice: (plan: CataloguePlan) => choose(plan, price),
    onRename: setRenamed,
    onMove: (plan: CataloguePlan) => choose(plan, move),
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
      {chosen && price.open ? <ChangePrice plan={chosen} {...price.dialog} /> : null}
      {renamed ? <RenamePlan plan={renamed} open onClose={() => setRenamed(undefined)} /> : null}
      {chosen && move.open ? (
        <MoveCustomers plan={chosen} plans={plans.data?.items ?? NONE} {...move.dialog} />
      ) : null}
      {edition && edit.open ? <EditEdition edition={edition} {...edit.dialog} /> : null}
      {order.dialog}
      {dialog}
      {undoing.dialog}
    </>
  )
}

const NONE: readonly never[] = []
