import { useState } from 'react'
import { setAutoTopUp, type AutoTopUp } from '#features/auto-top-ups/contract.ts'
import { autoTopUpKinds, type AutoTopUpKind } from '#features/auto-top-ups/rules.ts'
import { methodName } from '#features/methods/texts.ts'
import { digitsOf, toMoney, type Money } from '#foundation/money.ts'
import { call } from '#foundation/web/api/call.ts'
import { ActDialog, type Send } from '#foundation/web/form/act-dialog.tsx'
import type { FormFields } from '#foundation/web/form/form-fields.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { parseAmount, typedAmount } from '#foundation/web/i18n/money.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Coming } from '#foundation/web/ui/skeleton.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { Segments } from '#foundation/web/ui/segments.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { refreshAutoTopUp, useMethods } from './hooks.ts'

type Props = DialogProps & { standing: AutoTopUp }

/** Turns the automatic top-up on, changes it, or goes on after a pause: the method, when it is charged, and how much at most. */
export function AutoTopUpDialog({ standing, ...dialog }: Props) {
  const { currency } = standing.used
  const [kind, setKind] = useState(standing.kind)
  const submit = async (fields: FormFields, send: Send) => {
    const chosen = bodyIn(fields, kind, currency)
    if (typeof chosen === 'string') return { errors: [{ code: 'invalid_amount', param: chosen }] } as const
    const body = { ...chosen, version: standing.version }
    const answer = await send(body, () => call(setAutoTopUp, { body }))
    if (!answer) return undefined
    refreshAutoTopUp()
    if (answer.status !== 200) return answer
    toastSuccess(m.auto_top_ups_saved)
    return dialog.onClose()
  }
  const days = { days: standing.days_ahead.at_once, debit: standing.days_ahead.direct_debit }
  const kinds = { cover: m.auto_top_ups_kind_cover, threshold: m.auto_top_ups_kind_threshold }
  return (
    <ActDialog
      {...dialog}
      title={m.auto_top_ups_title()}
      description={m.auto_top_ups_dialog_text()}
      act={standing.state === 'active' ? m.auto_top_ups_save() : m.auto_top_ups_turn_on()}
      submit={submit}
    >
      <MethodField standing={standing} />
      <div className="flex flex-col gap-1.5">
        <Segments
          name="kind"
          label={m.auto_top_ups_kind()}
          options={autoTopUpKinds.map((value) => ({ value, text: kinds[value]() }))}
          chosen={kind}
          onChoose={setKind}
        />
        <p className="text-sm text-muted">
          {kind === 'cover' ? m.auto_top_ups_kind_cover_hint(days) : m.auto_top_ups_kind_threshold_hint()}
        </p>
      </div>
      {kind === 'threshold' ? (
        <>
          <AmountField
            name="threshold"
            label={m.auto_top_ups_threshold({ currency })}
            currency={currency}
            shown={standing.threshold}
          />
          <AmountField
            name="amount"
            label={m.auto_top_ups_amount({ currency })}
            currency={currency}
            shown={standing.amount}
          />
        </>
      ) : null}
      <AmountField
        name="month_limit"
        label={m.auto_top_ups_month_limit({ currency })}
        currency={currency}
        shown={standing.month_limit}
      />
    </ActDialog>
  )
}

/** The usable methods; the one that is charged now, or the default one, comes first. */
function MethodField({ standing }: { standing: AutoTopUp }) {
  const locale = useLocale()
  const methods = useMethods()
  const usable = methods.data?.items.filter(({ state }) => state === 'active')
  if (!usable) return <Coming of={methods} />
  const chosen = usable.find(({ id }) => id === standing.method?.id) ?? usable[0]
  return (
    <SelectField
      name="method_id"
      label={m.auto_top_ups_method()}
      defaultValue={chosen?.id}
      required
      options={usable.map((method) => ({ value: method.id, label: methodName(method, { locale }) }))}
    />
  )
}

type Amount = { name: string; label: string; currency: string; shown: Money | null }

const AmountField = ({ name, label, currency, shown }: Amount) => (
  <TextField
    name={name}
    label={label}
    defaultValue={shown ? typedAmount(shown) : undefined}
    inputMode={digitsOf(currency) === 0 ? 'numeric' : 'decimal'}
    autoComplete="off"
    required
  />
)

/** Returns what was typed, or the name of a field that holds no amount. */
function bodyIn(fields: FormFields, kind: AutoTopUpKind, currency: string) {
  const read = (name: string) => {
    const amount = parseAmount(fields.text(name), digitsOf(currency))
    return amount === undefined || amount === 0n ? undefined : toMoney(amount, currency)
  }
  const month_limit = read('month_limit')
  const both = { method_id: fields.text('method_id'), kind }
  if (kind === 'cover') return month_limit ? { ...both, month_limit } : 'month_limit'
  const [threshold, amount] = [read('threshold'), read('amount')]
  if (!threshold) return 'threshold'
  if (!amount) return 'amount'
  return month_limit ? { ...both, month_limit, threshold, amount } : 'month_limit'
}
