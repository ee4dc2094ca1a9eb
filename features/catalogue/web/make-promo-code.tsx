import { useState } from 'react'
import { listPromoCodes, makePromoCode } from '#features/catalogue/promo-contract.ts'
import { digitsOf, toMoney } from '#foundation/money.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { ActDialog, type Send } from '#foundation/web/form/act-dialog.tsx'
import type { FormFields } from '#foundation/web/form/form-fields.ts'
import { timesOf } from '#foundation/web/i18n/days.ts'
import { currentLocale } from '#foundation/web/i18n/locale.ts'
import { parseAmount } from '#foundation/web/i18n/money.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { CheckboxField } from '#foundation/web/ui/checkbox-field.tsx'
import { DayField } from '#foundation/web/ui/day-field.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { useCurrency, useEditions } from './hooks.ts'

/** The dialog that makes a promo code. */
export function MakePromoCode(dialog: DialogProps) {
  const currency = useCurrency()
  const editions = useEditions().data?.items ?? []
  const [until, setUntil] = useState('')
  const submit = async (fields: FormFields, send: Send) => {
    const lowers = loweringIn(fields.text('percent'), currency)
    if (!lowers) return { errors: [{ code: 'invalid', param: 'percent' }] } as const
    const [uses, renewals] = [wholeIn(fields.text('uses')), wholeIn(fields.text('renewals'))]
    if (!uses) return { errors: [{ code: 'invalid', param: 'uses' }] } as const
    if (renewals === undefined) return { errors: [{ code: 'invalid', param: 'renewals' }] } as const
    const edition = fields.text('editions')
    const expires_at = timesOf({ from: '', to: until }).to
    const body = {
      code: fields.text('code').trim(),
      ...lowers,
      uses,
      renewals,
      first_order_only: fields.checked('first_order_only'),
      note: fields.text('note'),
      ...(edition === '' ? {} : { editions: [edition] }),
      ...(expires_at === undefined ? {} : { expires_at }),
    }
    const answer = await send(body, () => call(makePromoCode, { body }))
    if (!answer) return undefined
    if (answer.status !== 201) return answer
    refreshQueries(listPromoCodes)
    const { code } = answer.body
    toastSuccess(() => m.catalogue_promo_made({ code }))
    return dialog.onClose()
  }
  return (
    <ActDialog
      {...dialog}
      title={m.catalogue_promo_make()}
      description={m.catalogue_promo_make_text()}
      act={m.catalogue_promo_make()}
      submit={submit}
    >
      <TextField
        name="code"
        label={m.catalogue_promo()}
        hint={m.catalogue_promo_hint()}
        most={32}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        required
      />
      <TextField
        name="percent"
        label={m.catalogue_promo_lowers()}
        hint={m.catalogue_promo_lowers_hint({ currency })}
        autoComplete="off"
        required
      />
      <TextField
        name="uses"
        label={m.catalogue_promo_uses()}
        defaultValue="100"
        inputMode="numeric"
        autoComplete="off"
        required
      />
      <TextField
        name="renewals"
        label={m.catalogue_promo_renewals()}
        hint={m.catalogue_promo_renewals_hint()}
        defaultValue="0"
        inputMode="numeric"
        autoComplete="off"
        required
      />
      <SelectField
        name="editions"
        label={m.catalogue_promo_for()}
        options={[
          { value: '', label: m.catalogue_promo_all() },
          ...editions.map(({ slug, name }) => ({ value: slug, label: name[currentLocale()] })),
        ]}
      />
      <CheckboxField name="first_order_only" label={m.catalogue_promo_first()} />
      <DayField name="expires_at" label={m.catalogue_until()} value={until} onDay={setUntil} />
      <TextField name="note" label={m.catalogue_note()} most={200} autoComplete="off" />
    </ActDialog>
  )
}

/** Reads '20 %' or an amount; undefined for anything else. */
function loweringIn(typed: string, currency: string) {
  const [, percent] = /^\s*([1-9]\d?|100)\s*%\s*$/.exec(typed) ?? []
  if (percent !== undefined) return { percent: Number(percent) }
  const amount = parseAmount(typed, digitsOf(currency))
  return amount === undefined || amount <= 0n ? undefined : { amount: toMoney(amount, currency) }
}

const wholeIn = (typed: string): number | undefined =>
  /^\d{1,6}$/.test(typed.trim()) ? Number(typed) : undefined
