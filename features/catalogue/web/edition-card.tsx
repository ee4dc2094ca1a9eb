import type { CataloguePlan } from '#features/catalogue/contract.ts'
import { currentLocale } from '#foundation/web/i18n/locale.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { List } from '#foundation/web/ui/list.tsx'
import { MenuItem } from '#foundation/web/ui/menu.tsx'
import { m } from '#texts/messages.js'
import { ActMenu } from './act-menu.tsx'
import { EditionExtras } from './edition-extras.tsx'
import { EditionContents } from './edition-contents.tsx'
import { useProducts } from './hooks.ts'
import type { Sold, usePlanOrder } from './plan-order.ts'
import { PlanRow } from './plan-row.tsx'
import { planText } from './plan-text.ts'
import { isMoveAhead } from './use-undo-move.ts'

type Props = {
  sold: Sold
  place: number
  isLast: boolean
  /** Undefined for those who may only read. */
  acts:
    | {
        order: ReturnType<typeof usePlanOrder>
        offer: (plan: CataloguePlan) => void
        onEdit: (slug: string) => void
        onPrice: (plan: CataloguePlan) => void
        onRename: (plan: CataloguePlan) => void
        onMove: (plan: CataloguePlan) => void
        undoMove: (plan: CataloguePlan) => void
      }
    | undefined
}

/** An edition with its plans, and with what is in it. Each has its acts in a menu. */
export function EditionCard({ sold: { edition, plans }, place, isLast, acts }: Props) {
  const name = edition.name[currentLocale()]
  const products = useProducts().data?.items ?? []
  // With one product alone its name would say nothing.
  const product =
    products.length > 1
      ? products.find(({ slug }) => slug === edition.product)?.name[currentLocale()]
      : undefined
  return (
    <Card
      title={
        <span className="flex flex-wrap items-center gap-2">
          <span>{name}</span>
          {product ? <Badge>{product}</Badge> : null}
          {edition.is_active ? null : <Badge>{m.catalogue_retired()}</Badge>}
        </span>
      }
      description={edition.description[currentLocale()]}
      actions={
        acts ? (
          <ActMenu
            id={`edition-${edition.slug}`}
            name={name}
            isFirst={place === 0}
            isLast={isLast}
            onMove={(by, at) => acts.order.moveEdition(place, by, at)}
          >
            <MenuItem onSelect={() => acts.onEdit(edition.slug)}>{m.catalogue_edition_edit()}</MenuItem>
          </ActMenu>
        ) : null
      }
    >
      <div className="flex flex-col gap-5">
        {plans.length === 0 ? (
          <p className="text-sm text-muted">{m.catalogue_edition_no_plans()}</p>
        ) : (
          <List label={m.catalogue_plans_of({ edition: name })}>
            {plans.map((plan, row) => (
              <PlanRow
                key={plan.slug}
                plan={plan}
                edition={name}
                menu={
                  acts ? (
                    <ActMenu
                      id={`plan-${plan.slug}`}
                      name={planText(plan)}
                      isFirst={row === 0}
                      isLast={row === plans.length - 1}
                      onMove={(by, at) => acts.order.movePlan(edition, row, by, at)}
                    >
                      <MenuItem onSelect={() => acts.onPrice(plan)}>{m.catalogue_price()}</MenuItem>
                      <MenuItem onSelect={() => acts.onRename(plan)}>{m.catalogue_rename()}</MenuItem>
                      <MenuItem onSelect={() => acts.offer(plan)}>
                        {plan.is_active ? m.catalogue_retire() : m.catalogue_offer()}
                      </MenuItem>
                      {isMoveAhead(plan) ? (
                        <MenuItem onSelect={() => acts.undoMove(plan)}>{m.catalogue_move_undo()}</MenuItem>
                      ) : plan.is_active || plan.renewing === 0 ? null : (
                        <MenuItem onSelect={() => acts.onMove(plan)}>{m.catalogue_move_customers()}</MenuItem>
                      )}
                    </ActMenu>
                  ) : null
                }
              />
            ))}
          </List>
        )}
        <EditionContents edition={edition} />
        <EditionExtras edition={edition} mayEdit={acts !== undefined} />
      </div>
    </Card>
  )
}
