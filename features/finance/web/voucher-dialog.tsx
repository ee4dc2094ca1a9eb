import { redeemVoucher } from '#features/finance/contract.ts'
import { VOUCHER_LENGTH } from '#features/finance/rules.ts'
import { call } from '#foundation/web/api/call.ts'
import { useIntention } from '#foundation/web/form/intention.ts'
import { DialogForm } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { controlClass } from '#foundation/web/ui/control-class.ts'
import { Field } from '#foundation/web/ui/field.tsx'
import { m } from '#texts/messages.js'
import { refreshFinances } from './hooks.ts'

/** The dialog that redeems a voucher. A wrong code is marked at the field and stays there to be corrected. */
export function VoucherDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={m.finance_voucher_title()}
      description={m.finance_voucher_text()}
    >
      <VoucherForm onClose={onClose} />
    </Dialog>
  )
}

function VoucherForm({ onClose }: { onClose: () => void }) {
  const once = useIntention()
  const form = useForm(async (fields) => {
    const body = { code: fields.text('code').trim() }
    if (body.code === '') return { errors: [{ code: 'required', param: 'code' }] }
    const answer = await once(body, (headers) => call(redeemVoucher, { headers, body }))
    if (answer.status !== 201)
      return {
        errors: answer.errors.map((error) => (isAbout(error.code) ? { ...error, param: 'code' } : error)),
      }
    const { amount } = answer.body
    toastSuccess(() => m.finance_voucher_done({ amount: formatMoney(amount) }))
    refreshFinances()
    return onClose()
  })
  return (
    <DialogForm
      form={form}
      act={m.finance_voucher_redeem()}
      label={m.finance_voucher_title()}
      onClose={onClose}
    >
      <Field name="code" label={m.finance_voucher_code()} most={VOUCHER_LENGTH}>
        {(control) => (
          <input
            {...control}
            type="text"
            required
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            className={classNames(controlClass, 'font-mono tracking-wide uppercase')}
          />
        )}
      </Field>
    </DialogForm>
  )
}

const isAbout = (code: string): boolean => code.startsWith('voucher_') || code === 'balance_cap'
