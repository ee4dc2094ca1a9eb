import { paths } from '#features/paths.ts'
import { useState } from 'react'
import { startTopUp } from '#features/finance/contract.ts'
import { topUpWays, type TopUpWay } from '#features/finance/slots.ts'
import { getTerms } from '#features/legal/contract.ts'
import { acceptedTerms, termsToAccept } from '#features/legal/rules.ts'
import { orderTerms } from '#features/legal/slots.ts'
import { amountOf, digitsOf, toMoney } from '#foundation/money.ts'
import { call } from '#foundation/web/api/call.ts'
import { keepAnswer } from '#foundation/web/api/keep.ts'
import { keyOf, refreshQueries } from '#foundation/web/api/query.ts'
import { useIntention } from '#foundation/web/form/intention.ts'
import { DialogForm } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { formatMoney, parseAmount, typedAmount } from '#foundation/web/i18n/money.ts'
import { TextLink, useGo } from '#foundation/web/navigation.tsx'
import { Slot } from '#foundation/web/slots.tsx'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Dialog, DialogActions } from '#foundation/web/ui/dialog.tsx'
import { m } from '#texts/messages.js'
import { AmountField } from './amount-field.tsx'
import type { Finances } from './hooks.ts'
import { leaveFor } from './leave-for.ts'
import { ProviderChoice, providerIn } from './provider-choice.tsx'

type Props = {
  finances: Finances
  /** The amount that an order lacked, in minor units: the amount to begin with. */
  missing: bigint | undefined
  open: boolean
  onClose: () => void
}

/** The dialog for amount and payment method. It leads to the provider's page, or to the details of the bank transfer. */
export function TopUpDialog({ open, onClose, ...rest }: Props) {
  return (
    <Dialog open={open} onClose={onClose} title={m.finance_top_up_title()}>
      {rest.finances.top_up.providers.length === 0 ? (
        <NoProvider onClose={onClose} />
      ) : (
        <TopUpForm {...rest} onClose={onClose} />
      )}
    </Dialog>
  )
}

/** The words in place of the form while the operator offers no way to pay: an amount would lead nowhere. */
const NoProvider = ({ onClose }: Pick<Props, 'onClose'>) => (
  <>
    <Alert tone="warning">
      <p>{m.finance_no_provider()}</p>
      <p className="mt-1">
        <TextLink to={paths.tickets()}>{m.ui_contact()}</TextLink>
      </p>
    </Alert>
    <DialogActions>
      <Button onClick={onClose}>{m.ui_close()}</Button>
    </DialogActions>
  </>
)

function TopUpForm({ finances, missing, onClose }: Omit<Props, 'open'>) {
  const { balance, top_up } = finances
  const [way, setWay] = useState<TopUpWay>()
  const { form, typed, setTyped } = useTopUpForm(finances, { missing, way, onClose })
  const amount = parseAmount(typed, digitsOf(balance.currency))
  const after = amount === undefined ? undefined : toMoney(amountOf(balance) + amount, balance.currency)
  return (
    <DialogForm form={form} act={m.finance_top_up_go()} label={m.finance_top_up_title()} onClose={onClose}>
      {missing === undefined ? null : (
        <p className="-mt-2 text-sm text-muted">
          {m.finance_top_up_missing({ missing: formatMoney(toMoney(missing, balance.currency)) })}
        </p>
      )}
      <AmountField limits={top_up} typed={typed} onType={setTyped} />
      <ProviderChoice
        key={String(way !== undefined)}
        providers={top_up.providers}
        isAfter={way !== undefined}
      >
        <Slot of={topUpWays} props={{ onClose, takes: (pay) => setWay(() => pay) }} waiting={null} />
      </ProviderChoice>
      <p className="flex justify-between gap-4 rounded-md bg-sunken px-3 py-2.5 text-sm">
        <span className="text-muted">{m.finance_top_up_after()}</span>
        <output className="font-medium [overflow-wrap:anywhere]">{after ? formatMoney(after) : '–'}</output>
      </p>
      <Slot of={orderTerms} props={{}} />
    </DialogForm>
  )
}

type Paid = Pick<Props, 'missing' | 'onClose'> & { way: TopUpWay | undefined }

function useTopUpForm({ balance, top_up }: Finances, { missing, way, onClose }: Paid) {
  const go = useGo()
  const once = useIntention()
  const [typed, setTyped] = useState(() => typedAmount(toMoney(beginWith(top_up, missing), balance.currency)))
  const form = useForm(async (fields) => {
    const amount = parseAmount(fields.text('amount'), digitsOf(balance.currency))
    if (amount === undefined || amount === 0n) return { errors: [{ code: 'invalid', param: 'amount' }] }
    const paid = way?.(fields, toMoney(amount, balance.currency))
    if (paid) {
      const refused = await paid
      return refused && { errors: refused.errors.map(atAmount) }
    }
    const provider = providerIn(fields, top_up.providers)
    const body = { amount: toMoney(amount, balance.currency), provider, ...acceptedTerms(fields) }
    const answer = await once(body, (headers) => call(startTopUp, { headers, body }))
    const asked = termsToAccept(answer.body)
    if (asked) keepAnswer(answer, keyOf(getTerms), asked)
    if (answer.status !== 201) return { errors: answer.errors.map(atAmount) }
    refreshQueries(getTerms)
    if (answer.body.redirect_url !== null) return leaveFor(answer.body.redirect_url)
    onClose()
    return go(paths.finances({ top_up: answer.body.id }), { replace: true })
  })
  return { form, typed, setTyped }
}

/** Returns the amount to begin with, in minor units: the amount that an order lacked, or else 2500, within the limits of one top-up. */
function beginWith({ min, max }: Finances['top_up'], missing = 2500n): bigint {
  if (missing < amountOf(min)) return amountOf(min)
  return missing > amountOf(max) ? amountOf(max) : missing
}

/** Returns the error so that it is shown at the field for the amount, if it is about the amount. */
const atAmount = <E extends { code: string }>(error: E) =>
  AMOUNT_CODES.has(error.code) ? { ...error, param: 'amount' } : error

const AMOUNT_CODES = new Set([
  'amount_too_small',
  'amount_too_large',
  'amount_too_fine',
  'balance_cap',
  'invalid',
])
