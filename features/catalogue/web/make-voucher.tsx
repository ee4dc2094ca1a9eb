import { useState } from 'react'
import { aboveAllowanceText } from '#features/approvals/web/words.ts'
import { makeVoucher } from '#features/catalogue/contract.ts'
import { useAllowance } from '#features/team/web/team.ts'
import { digitsOf, toMoney } from '#foundation/money.ts'
import { call } from '#foundation/web/api/call.ts'
import { ActDialog, type Send } from '#foundation/web/form/act-dialog.tsx'
import type { FormFields } from '#foundation/web/form/form-fields.ts'
import { timesOf } from '#foundation/web/i18n/days.ts'
import { formatMoney, parseAmount } from '#foundation/web/i18n/money.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { DayField } from '#foundation/web/ui/day-field.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { refreshVouchers, useCurrency } from './hooks.ts'
import type { ShownCode } from './show-code.tsx'

type Props = DialogProps & { onMade: (made: ShownCode) => void }

/** The dialog that makes a voucher. Its value times its uses counts towards the allowance of the member of staff. */
export function MakeVoucher({ onMade, ...dialog }: Props) {
  const allowance = useAllowance('vouchers.make')
  const inCatalogue = useCurrency()
  const currency = allowance?.single.currency ?? inCatalogue
  const digits = digitsOf(currency)
  const [value, setValue] = useState('')
  const [uses, setUses] = useState('1')
  const [until, setUntil] = useState('')
  const worth = (parseAmount(value, digits) ?? 0n) * BigInt(countIn(uses) ?? 0)
  const warning = allowance && aboveAllowanceText(allowance, worth)
  const submit = async (fields: FormFields, send: Send) => {
    const amount = parseAmount(fields.text('amount'), digits)
    if (amount === undefined || amount <= 0n)
      return { errors: [{ code: 'invalid', param: 'amount' }] } as const
    const count = countIn(fields.text('uses'))
    if (count === undefined) return { errors: [{ code: 'invalid', param: 'uses' }] } as const
    const expires_at = timesOf({ from: '', to: until }).to
    const body = {
      amount: toMoney(amount, currency),
      uses: count,
      note: fields.text('note'),
      ...(expires_at === undefined ? {} : { expires_at }),
      ...(fields.text('word') === '' ? {} : { word: fields.text('word') }),
    }
    const answer = await send(body, (headers) => call(makeVoucher, { headers, body }))
    if (!answer) return undefined
    if (answer.status !== 201 && answer.status !== 202) return answer
    if (answer.status === 202) {
      const { amount: asked } = answer.body.approval
      toastSuccess(() => m.approvals_sent({ amount: asked ? formatMoney(asked) : '' }))
    }
    refreshVouchers()
    dialog.onClose()
    onMade({ code: answer.body.code, waits: answer.status === 202 })
    return undefined
  }
  return (
    <ActDialog
      {...dialog}
      title={m.catalogue_make()}
      description={m.catalogue_make_text()}
      act={m.catalogue_make()}
      submit={submit}
    >
      <TextField
        name="amount"
        label={m.catalogue_value({ currency })}
        inputMode={digits === 0 ? 'numeric' : 'decimal'}
        autoComplete="off"
        required
        onInput={(event) => setValue(event.currentTarget.value)}
      />
      <TextField
        name="uses"
        label={m.catalogue_uses()}
        defaultValue="1"
        inputMode="numeric"
        autoComplete="off"
        required
        onInput={(event) => setUses(event.currentTarget.value)}
      />
      {warning ? (
        <Alert tone="warning" live>
          {warning}
        </Alert>
      ) : null}
      <DayField name="expires_at" label={m.catalogue_until()} value={until} onDay={setUntil} />
      <TextField
        name="note"
        label={m.catalogue_note()}
        hint={m.catalogue_note_hint()}
        most={200}
        autoComplete="off"
        required
      />
      <TextField
        name="word"
        label={m.catalogue_word()}
        hint={m.catalogue_word_hint()}
        most={32}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
      />
    </ActDialog>
  )
}

/** Reads a typed whole number from 1 to 99999; returns undefined for anything else. */
const countIn = (typed: string): number | undefined =>
  /^[1-9]\d{0,4}$/.test(typed.trim()) ? Number(typed) : undefined
