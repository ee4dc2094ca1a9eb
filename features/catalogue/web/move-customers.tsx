import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { movePlanCustomers, previewPlanMove, type CataloguePlan } from '#features/catalogue/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { ActDialog, type Send } from '#foundation/web/form/act-dialog.tsx'
import type { FormFields } from '#foundation/web/form/form-fields.ts'
import { formatDate } from '#foundation/web/i18n/format.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { m } from '#texts/messages.js'
import { refreshPlans } from './hooks.ts'
import { planText } from './plan-text.ts'

type Props = DialogProps & { plan: CataloguePlan; plans: readonly CataloguePlan[] }

/** The dialog that moves the servers of a retired plan to another one. It shows first how many they are, and what each pays then. */
export function MoveCustomers({ plan, plans, ...dialog }: Props) {
  const { slug, term } = plan
  const others = plans.filter((other) => other.is_active && other.term === term)
  const [to, setTo] = useState(others[0]?.slug ?? '')
  const submit = async (_fields: FormFields, send: Send) => {
    const body = { to }
    const answer = await send(body, () => call(movePlanCustomers, { params: { slug }, body }))
    if (!answer) return undefined
    refreshPlans()
    if (answer.status !== 201) return answer
    toastSuccess(m.catalogue_move_done)
    return dialog.onClose()
  }
  return (
    <ActDialog
      {...dialog}
      about={slug}
      title={m.catalogue_move_customers_of({ plan: planText(plan) })}
      description={m.catalogue_move_customers_text()}
      act={m.catalogue_move_customers()}
      submit={submit}
    >
      {others.length === 0 ? <p className="text-sm text-muted">{m.catalogue_move_nowhere()}</p> : null}
      <SelectField
        name="to"
        label={m.catalogue_move_to()}
        value={to}
        onChange={({ target }) => setTo(target.value)}
        options={others.map((other) => ({ value: other.slug, label: planText(other) }))}
      />
      <WhoMoves slug={slug} to={to} />
    </ActDialog>
  )
}

function WhoMoves({ slug, to }: { slug: string; to: string }) {
  const moving = useQuery({
    ...queryFor(previewPlanMove, { params: { slug }, query: { to } }),
    enabled: to !== '',
  })
  if (!moving.data) return <div className="min-h-16" />
  const { hosts, customers, price_net_before, price_net, from } = moving.data
  const [before, after] = [formatMoney(price_net_before), formatMoney(price_net)]
  return (
    <div role="status" className="min-h-16 rounded-md border border-line bg-sunken px-3 py-2 text-sm">
      <p className="font-medium">{m.catalogue_move_preview({ date: formatDate(from), before, after })}</p>
      <p>
        {m.catalogue_pays({
          price: m.catalogue_net({ price: after }),
          count: hosts,
          customers: m.catalogue_pays_customers({ count: customers }),
        })}
      </p>
    </div>
  )
}
