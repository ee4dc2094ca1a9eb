import { useState } from 'react'
import { deactivate, type Profile } from '#features/profile/contract.ts'
import { balanceAtStake } from '#features/profile/slots.ts'
import { amountOf, type Money } from '#foundation/money.ts'
import { call } from '#foundation/web/api/call.ts'
import { clearSession } from '#foundation/web/api/stored-session.ts'
import { drafts } from '#foundation/web/drafts.ts'
import { DialogForm } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { formatMoney, parseSum } from '#foundation/web/i18n/money.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { Slot } from '#foundation/web/slots.tsx'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { EmailField, TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'

/** Deleting the account: shows what is lost, and asks for the email and for a recent proof of identity (row P-04, rule 20). */
export function DeleteAccount({ profile }: { profile: Profile }) {
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Card
        tone="danger"
        title={m.profile_delete()}
        description={m.profile_delete_text()}
        footer={
          <div className="ml-auto">
            <Button look="danger" onClick={() => setOpen(true)}>
              {m.profile_delete()}
            </Button>
          </div>
        }
      />
      <Dialog
        open={open}
        onClose={close}
        title={m.profile_delete_title()}
        description={m.profile_delete_text()}
      >
        <Confirmation email={profile.email} onCancel={close} />
      </Dialog>
    </>
  )
}

function Confirmation({ email, onCancel }: { email: string; onCancel: () => void }) {
  const { withProof, dialog } = useReauthentication()
  const [left, setLeft] = useState<Money>()
  const form = useForm(async (fields) => {
    // The sum is typed, so that nobody gives up money by one press too many (rule 61).
    if (left && parseSum(fields.text('forfeit'), left.currency) !== amountOf(left))
      return { errors: [{ code: 'balance_left', param: 'forfeit' }] }
    const body = { email: fields.text('email'), ...(left ? { forfeit: left } : {}) }
    const answer = await withProof(() => call(deactivate, { body }, { expects401: true }))
    // The customer cancelled the proof of identity: nothing has happened.
    if (!answer) return undefined
    if (answer.status === 409) {
      // The form asks for the sum; a sum that changed meanwhile is typed anew.
      setLeft(answer.body.balance)
      return answer
    }
    // Row P-01: a 401 means that the account no longer exists.
    if (answer.status !== 204 && answer.status !== 401) {
      if (answer.errors.every(({ param }) => param === undefined))
        toastError(() => m.profile_delete_failed(), answer)
      return answer
    }
    toastSuccess(() => m.profile_deleted())
    drafts.forgetAll()
    clearSession(answer.seen.session)
    return undefined
  })
  return (
    <>
      <Slot of={balanceAtStake} props={{ onFound: setLeft }} waiting={null} />
      <div className="mb-5 text-sm">
        <p className="font-medium">{m.profile_delete_lost()}</p>
        <ul className="mt-2 grid list-disc gap-1 pl-5 text-muted">
          <li>{m.profile_delete_lost_profile()}</li>
          <li>{m.profile_delete_lost_access()}</li>
          <li>{m.profile_delete_lost_product()}</li>
        </ul>
        <p className="mt-2 text-muted">{m.profile_delete_kept()}</p>
      </div>
      <DialogForm
        form={form}
        act={left ? m.profile_delete_forfeit({ amount: formatMoney(left) }) : m.profile_delete_button()}
        label={m.profile_delete()}
        look="danger"
        onClose={onCancel}
      >
        <EmailField name="email" label={m.profile_delete_confirm({ email })} required autoComplete="off" />
        {left ? (
          <>
            <Alert tone="danger">{m.profile_delete_balance({ amount: formatMoney(left) })}</Alert>
            <TextField
              name="forfeit"
              label={m.profile_delete_sum({ amount: formatMoney(left) })}
              inputMode="decimal"
              autoComplete="off"
              required
            />
          </>
        ) : null}
      </DialogForm>
      {dialog}
    </>
  )
}
