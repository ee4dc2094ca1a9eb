import { itemsOf } from '#foundation/web/ui/loaded-list.tsx'
import { paths } from '#features/paths.ts'
import { useState } from 'react'
import type { Host } from '#features/hosts/contract.ts'
import { hostCan } from '#features/hosts/rules.ts'
import { usePayerOfOrders } from '#features/payers/web/payers.ts'
import { acceptedTerms } from '#features/legal/rules.ts'
import { orderTerms } from '#features/legal/slots.ts'
import { orderLicence } from '#features/sales/contract.ts'
import { type Plan } from '#features/licences/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { FormFields } from '#foundation/web/form/form-fields.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useIntention } from '#foundation/web/form/intention.ts'
import { useForm } from '#foundation/web/form/use-form.ts'
import { formatDate } from '#foundation/web/i18n/format.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Slot } from '#foundation/web/slots.tsx'
import { m } from '#texts/messages.js'
import { applyOrder, useBalance, useHistory, usePlans } from './hooks.ts'
import { BeginNow, beginNow } from './begin-now.tsx'
import { useBuyerAddress } from './buyer-address.tsx'
import { interruptOrder, resumeOrder } from './interrupted-order.ts'
import { AddressField, setAddress } from './missing-address.tsx'
import { missingFor } from './missing-amount.ts'
import { OrderActions } from './order-actions.tsx'
import { OrderReference, orderReference } from './order-reference.tsx'
import { periodAhead } from './period-ahead.ts'
import { PlanChoice } from './plan-choice.tsx'
import { useExtras } from './extras.tsx'
import { PriceSummary } from './price-summary.tsx'
import { PromoField, usePromoCode } from './promo-code.tsx'
import { refusedOrder } from './refused-order.ts'
import { useShownPrices } from './shown-prices.ts'
import { toastTrial, trialOf } from './trial-order.ts'
import { usePaying, usePayOrder } from './use-paying.ts'
import { TrialActions, TrialSummary, useTrial } from './trial.tsx'

/** Orders a licence for a host or renews it, and shows the period that will be paid. */
export function OrderLicence({ host, open, onClose }: DialogProps & { host: Host }) {
  const { licence } = host
  const here = paths.host(host.id, { act: 'renew' })
  const [resumed] = useState(() => resumeOrder(here))
  const promo = usePromoCode(usePlans(host.id), { hostId: host.id, typed: resumed?.promo })
  const { plans } = promo
  const payer = usePayerOfOrders(host)
  const own = useBalance()
  // The balance of a payer is shown to nobody else: only the answer to the order tells if it suffices.
  const balance = payer === undefined ? own : undefined
  const periods = itemsOf(useHistory(host.id)) ?? []
  const [slug, setSlug] = useState(resumed?.plan ?? licence.renewal_plan?.slug)
  const [lacksAddress] = useState(!hostCan.renew(host))
  const [now] = useState(() => new Date())
  const offered = plans.data?.items.find((each) => each.slug === slug) ?? plans.data?.items[0]
  const priceBefore = useShownPrices(plans.data?.items)
  const { isTrying, choice } = useTrial(offered)
  const extras = useExtras(offered, { typed: resumed?.extras })
  const plan = isTrying ? offered : extras.priced?.plan
  const send = useIntention()
  const address = useBuyerAddress(plan, resumed?.buyer)
  const paying = usePaying(isTrying ? undefined : missingFor(plan, balance))
  const payOrder = usePayOrder(onClose)
  const form = useForm(async (fields) => {
    if (!plan || (!isTrying && promo.applies(fields))) return undefined
    const refused =
      (isTrying ? undefined : await address.save()) ??
      (lacksAddress ? await setAddress(host, fields.text('ipv4').trim()) : undefined)
    if (refused) return refused
    const agreed = { ...orderReference(fields), ...acceptedTerms(fields), ...beginNow(fields) }
    const wish = { plan: plan.slug, expected_total: plan.price_total, ...promo.sentFor(plan), ...extras.sent }
    if (paying) {
      const order = { for: 'renewal', host_id: host.id, ...wish, ...agreed } as const
      return (await payOrder(paying, fields, order))?.refused
    }
    const body = { ...(isTrying ? trialOf(plan) : wish), ...agreed }
    const answer = await send(body, (headers) =>
      call(orderLicence, { params: { hostId: host.id }, headers, body }),
    )
    if (answer.status !== 201 && answer.status !== 200) return refusedOrder(answer)
    const ordered = answer.body.host
    applyOrder(answer, ordered)
    if (isTrying) toastTrial(ordered)
    else toastPaid(ordered)
    onClose()
    return undefined
  })
  const isNew = licence.status === 'free' || licence.trial_until === licence.paid_until
  const title = isNew ? m.sales_order_title({ name: host.name }) : m.sales_renew_title({ name: host.name })
  const ahead = plan ? periodAhead(plan.term, licence, periods, now) : undefined
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      wide
      title={title}
      description={explain(licence)}
      form={form}
      act={title}
      actions={
        isTrying ? (
          <TrialActions onClose={onClose} />
        ) : (
          <OrderActions
            plan={plan}
            balance={balance}
            pay={isNew ? m.sales_pay : m.sales_pay_renew}
            payNow={isNew ? m.sales_pay_order : m.sales_pay_renewal}
            paying={paying}
            onWait={(element) => {
              const fields = new FormFields(element)
              const typed = {
                ipv4: fields.text('ipv4'),
                reference: fields.text('order_reference'),
                buyer: address.typed(),
                extras: extras.chosen,
                promo: promo.typedIn(fields),
              }
              interruptOrder({ to: here, plan: plan?.slug ?? '', ...typed })
            }}
            onClose={onClose}
          />
        )
      }
    >
      {payer === undefined || isTrying ? null : <p className="text-sm font-medium">{payer}</p>}
      <PlanChoice plans={plans} chosen={offered} onChoose={setSlug} />
      {choice}
      <PlanAhead host={host} plan={plan} />
      {lacksAddress ? <AddressField defaultValue={resumed?.ipv4} /> : null}
      {isTrying ? null : (
        <>
          {extras.section}
          {address.section}
          <OrderReference defaultValue={resumed?.reference} />
          <PromoField of={promo.state} plan={offered} />
        </>
      )}
      {plan && isTrying ? <TrialSummary plan={plan} /> : null}
      {isTrying ? null : (
        <PriceSummary {...extras.shown} before={priceBefore} balance={balance} period={ahead} />
      )}
      {licence.status === 'active' && !paying ? null : <Slot of={orderTerms} props={{}} />}
      {isTrying ? null : <BeginNow plan={plan} />}
    </FormDialog>
  )
}

/**
 * The sentence about a renewal with another plan, which counts only from the end of the paid time. It names this
 * plan, and the plan that counts until then.
 */
function PlanAhead({ host: { licence }, plan }: { host: Host; plan: Plan | undefined }) {
  const locale = useLocale()
  const { status, paid_until, last_plan: last } = licence
  if (!plan || status !== 'active' || paid_until === null || !last || plan.slug === last.slug) return null
  const words = { plan: plan.name[locale], date: formatDate(paid_until), present: last.name[locale] }
  return <p className="text-sm">{m.sales_plan_changes(words)}</p>
}

function toastPaid({ name, licence }: Host): void {
  const until = licence.paid_until ?? ''
  toastSuccess(() => m.sales_paid_until({ name, date: formatDate(until) }))
}

function explain({ status, trial_until, paid_until }: Host['licence']): string | undefined {
  if (trial_until !== null && trial_until === paid_until)
    return status === 'active' ? m.sales_trial_keep_text() : undefined
  if (status === 'active') return m.sales_renew_active_text()
  return status === 'expired' ? m.sales_renew_expired_text() : undefined
}
