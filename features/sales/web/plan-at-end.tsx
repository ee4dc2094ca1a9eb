import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getHost, type Host } from '#features/hosts/contract.ts'
import { chooseRenewalPlan, previewUpgrade } from '#features/sales/contract.ts'
import { listPlans, type Plan } from '#features/licences/contract.ts'
import type { UpgradePreview } from '#features/sales/upgrade-preview.ts'
import { call } from '#foundation/web/api/call.ts'
import { keepAnswer } from '#foundation/web/api/keep.ts'
import { keyOf, queryFor, refreshQueries } from '#foundation/web/api/query.ts'
import { DialogForm } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { formatDate, formatTerm } from '#foundation/web/i18n/format.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { CheckboxField } from '#foundation/web/ui/checkbox-field.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { m } from '#texts/messages.js'
import { applyOrder, usePlans } from './hooks.ts'
import { PlanChoice } from './plan-choice.tsx'
import { useExtras } from './extras.tsx'
import { Line } from './price-summary.tsx'

/** Chooses the plan with which a licence goes on at its end; a sentence names the time and the price. */
export function PlanAtEnd({ host, onClose }: { host: Host; onClose: () => void }) {
  const locale = useLocale()
  const plans = usePlans(host.id)
  // The choice when this dialog was opened: if another tab saves another choice meanwhile, saving is refused and that choice is
  // shown, never replaced unseen (rule 45).
  const [from, setFrom] = useState(host.licence.renewal_plan)
  const [renews] = useState(host.auto_renew)
  const [slug, setSlug] = useState(from?.slug)
  const [theirs, setTheirs] = useState<Host['licence']['renewal_plan']>(null)
  const plan = plans.data?.items.find((each) => each.slug === slug) ?? plans.data?.items[0]
  const extras = useExtras(plan, { onlyAddons: true })
  const params = { hostId: host.id }
  const input = { params, body: { plan: plan?.slug ?? '', when: 'end' as const, ...extras.sent } }
  const preview = useQuery({ ...queryFor(previewUpgrade, input), enabled: plan !== undefined, gcTime: 0 })
  const shown = preview.data
  const form = useForm(
    async (fields) => {
      if (!shown || !plan || !from) return undefined
      const auto_renew = fields.checked('auto_renew')
      const body = {
        plan: plan.slug,
        from: from.slug,
        expected_total: shown.renewal,
        ...extras.sent,
        ...(auto_renew !== renews && { auto_renew }),
      }
      const answer = await call(chooseRenewalPlan, { params, body })
      if (answer.status !== 200) {
        const refused = refusedWith(answer.body)
        if (refused.preview) keepAnswer(answer, keyOf(previewUpgrade, input), refused.preview)
        if (!refused.present) return answer
        keepAnswer(answer, keyOf(getHost, { params }), refused.present)
        setFrom(refused.present.licence.renewal_plan)
        setTheirs(refused.present.licence.renewal_plan)
        return undefined
      }
      applyOrder(answer, answer.body)
      refreshQueries(listPlans)
      toastSuccess(() => m.sales_end_toast({ name: host.name }))
      onClose()
      return undefined
    },
    { about: host.id },
  )
  return (
    <DialogForm
      form={form}
      act={m.sales_end_save()}
      label={m.sales_change_plan_title({ name: host.name })}
      isReady={shown !== undefined}
      onClose={onClose}
    >
      <p className="text-sm text-muted">{m.sales_end_free()}</p>
      <PlanChoice plans={plans} chosen={plan} onChoose={setSlug} />
      {extras.section}
      {plan ? <Ahead host={host} plan={plan} /> : null}
      {shown && plan ? (
        <dl aria-live="polite" className="rounded-md border border-line bg-sunken px-4 py-3 text-sm">
          <Line name={m.sales_end_renewal()} strong>
            {m.hosts_price_for({ price: formatMoney(shown.renewal), term: formatTerm(plan.term) })}
          </Line>
        </dl>
      ) : null}
      <Loaded query={preview} failed={m.sales_plans_failed()} waiting={null} />
      <CheckboxField
        name="auto_renew"
        label={m.sales_end_auto()}
        hint={m.sales_end_auto_hint()}
        defaultChecked={renews}
      />
      {theirs ? <Alert tone="warning">{m.sales_end_changed({ plan: theirs.name[locale] })}</Alert> : null}
    </DialogForm>
  )
}

function Ahead({ host: { licence }, plan }: { host: Host; plan: Plan }) {
  const locale = useLocale()
  const last = licence.last_plan
  const words = { plan: plan.name[locale], date: formatDate(licence.paid_until ?? '') }
  return (
    <p aria-live="polite" className="text-sm font-medium">
      {last && last.slug !== plan.slug
        ? m.sales_end_text({ ...words, present: last.name[locale] })
        : m.sales_end_stays(words)}
    </p>
  )
}

const refusedWith = (body: unknown) => (body ?? {}) as { preview?: UpgradePreview; present?: Host }
