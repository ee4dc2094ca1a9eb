import { useState } from 'react'
import type { CataloguePlan } from '#features/catalogue/contract.ts'
import { useMay } from '#features/team/web/team.ts'
import { formatDate, formatTerm } from '#foundation/web/i18n/format.ts'
import { currentLocale } from '#foundation/web/i18n/locale.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { m } from '#texts/messages.js'
import { planText } from './plan-text.ts'
import { AddPlan } from './add-plan.tsx'
import { ChangePrice } from './change-price.tsx'
import { usePlans } from './hooks.ts'
import { MovePlan } from './move-plan.tsx'
import { OfferPlan } from './offer-plan.tsx'
import { RenamePlan } from './rename-plan.tsx'

type Acting = { act: 'price' | 'rename'; plan: CataloguePlan }

/** The plans in the order in which customers see them. */
export function Plans() {
  const query = usePlans()
  const mayEdit = useMay('plans.edit')
  const [acting, setActing] = useState<Acting>()
  const [adding, setAdding] = useState(false)
  const close = () => setActing(undefined)
  return (
    <Card
      title={m.catalogue_plans()}
      description={m.catalogue_plans_text()}
      actions={mayEdit ? <Button onClick={() => setAdding(true)}>{m.catalogue_add()}</Button> : undefined}
    >
      <LoadedList
        query={query}
        failed={m.catalogue_plans_failed()}
        waiting="h-40"
        none={m.catalogue_no_plans()}
      >
        {(items) => (
          <List label={m.catalogue_plans()}>
            {items.map((plan) => (
              <PlanRow
                key={plan.slug}
                plan={plan}
                plans={items}
                onAct={mayEdit ? (act) => setActing({ act, plan }) : undefined}
              />
            ))}
          </List>
        )}
      </LoadedList>
      {adding ? (
        <AddPlan currency={currencyOf(query.data?.items)} open onClose={() => setAdding(false)} />
      ) : null}
      {acting?.act === 'price' ? <ChangePrice plan={acting.plan} open onClose={close} /> : null}
      {acting?.act === 'rename' ? <RenamePlan plan={acting.plan} open onClose={close} /> : null}
    </Card>
  )
}

/** The currency of the installation, read from a plan; EUR if there is no plan yet. */
const currencyOf = (plans: readonly CataloguePlan[] | undefined): string =>
  plans?.[0]?.price_net.currency ?? 'EUR'

type RowProps = {
  plan: CataloguePlan
  plans: readonly CataloguePlan[]
  onAct: ((act: Acting['act']) => void) | undefined
}

function PlanRow({ plan, plans, onAct }: RowProps) {
  const { slug, term, price_net, renewal_price_net, next_prices, is_active, renewing } = plan
  const name = planText(plan)
  const prices = [
    m.catalogue_net({ price: formatMoney(price_net) }),
    ...(renewal_price_net.amount === price_net.amount
      ? []
      : [m.catalogue_renewals_pay({ price: formatMoney(renewal_price_net) })]),
    ...next_prices.flatMap(nextTexts),
  ]
  return (
    <ListRow
      title={plan.name[currentLocale()]}
      badge={is_active ? null : <Badge>{m.catalogue_retired()}</Badge>}
      detail={[
        ...prices,
        formatTerm(term),
        slug,
        ...(renewing > 0 ? [m.catalogue_renewing({ count: renewing })] : []),
      ].join(' · ')}
      actions={
        onAct ? (
          <div className="flex flex-wrap gap-2">
            <Button
              size="small"
              aria-label={m.catalogue_price_of({ plan: name })}
              onClick={() => onAct('price')}
            >
              {m.catalogue_price()}
            </Button>
            <Button
              size="small"
              aria-label={m.catalogue_rename_of({ plan: name })}
              onClick={() => onAct('rename')}
            >
              {m.catalogue_rename()}
            </Button>
            <OfferPlan plan={plan} />
            <MovePlan plan={plan} plans={plans} />
          </div>
        ) : null
      }
    />
  )
}

/** Returns the sentences about a price: the day from which orders pay it, if it is ahead, and that of renewals, if it is another day. */
function nextTexts({ price_net, from, renewals_from }: CataloguePlan['next_prices'][number]): string[] {
  const price = formatMoney(price_net)
  return [
    ...(Date.parse(from) > Date.now() ? [m.catalogue_next({ price, date: formatDate(from) })] : []),
    ...(renewals_from === from
      ? []
      : [m.catalogue_next_renewals({ price, date: formatDate(renewals_from) })]),
  ]
}
