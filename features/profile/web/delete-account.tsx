import { useCallback, useState } from 'react'
import { deactivate, type Profile } from '#features/profile/contract.ts'
import { balanceAtStake } from '#features/profile/slots.ts'
import { amountOf, type Money } from '#foundation/money.ts'
import { call } from '#foundation/web/api/call.ts'
import { clearSession } from '#foundation/web/api/stored-session.ts'
import { drafts } from '#foundation/web/drafts.ts'
import { DialogForm } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { parseSum } from '#foundation/web/i18n/money.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { Slot } from '#foundation/web/slots.tsx'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { EmailField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { actText, LeftBalance, moneyIn, type Left, type Way } from './left-balance.tsx'

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
        end={
          <Button look="danger" onClick={() => setOpen(true)}>
            {m.profile_delete()}
          </Button>
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
  const [left, setLeft] = useState<Left>()
  const [chosen, setWay] = useState<Way>('bank')
  const found = useCallback((balance: Money, gift: Money) => setLeft({ balance, gift }), [])
  const money = left && moneyIn(left)
  // A gift alone is nothing that could be paid out.
  const way = money && amountOf(money) > 0n ? chosen : 'forfeit'
  const given = left && (way === 'bank' ? left.gift : left.balance)
  const mustType = given !== undefined && amountOf(given) > 0n
  const form = useForm(async (fields) => {
    // The sum is typed, so that nobody gives up money by one press too many (rule 61).
    if (mustType && parseSum(fields.text('forfeit'), given.currency) !== amountOf(given))
      return { errors: [{ code: 'balance_left', param: 'forfeit' }] }
    const account = { iban: fields.text('iban'), holder: fields.text('holder') }
    const body = {
      email: fields.text('email'),
      ...(mustType ? { forfeit: given } : {}),
      ...(money && way === 'bank' ? { payout: { amount: money, ...account } } : {}),
    }
    const answer = await withProof(() => call(deactivate, { body }, { expects401: true }))
    // The customer cancelled the proof of identity: nothing has happened.
    if (!answer) return undefined
    if (answer.status === 409) {
      // The form asks for the sum; a sum that changed meanwhile is typed anew.
      const { balance } = answer.body
      setLeft(balance && { balance, gift: left?.gift ?? { ...balance, amount: '0' } })
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
      <Slot of={balanceAtStake} props={{ onFound: found }} waiting={null} />
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
        act={actText(left, way)}
        label={m.profile_delete()}
        look="danger"
        onClose={onCancel}
      >
        <EmailField name="email" label={m.profile_delete_confirm({ email })} required autoComplete="off" />
        {left ? <LeftBalance left={left} way={way} onWay={setWay} /> : null}
      </DialogForm>
      {dialog}
    </>
  )
}
