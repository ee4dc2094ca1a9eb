import { useState } from 'react'
import { deactivateTotp } from '#features/security/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { formatDate, relativeTime } from '#foundation/web/i18n/format.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { m } from '#texts/messages.js'
import { refreshAuthenticators, type Factors } from './hooks.ts'
import { SetUpTotp } from './set-up-totp.tsx'

/** The switch for codes of an authenticator app at sign-in (row A-09). */
export function TwoFactor({ totp, onChanged }: { totp: Factors['totp']; onChanged: () => void }) {
  // An opened dialog stays open, although `totp` changes while the set-up shows its last step.
  const [open, setOpen] = useState<'set up' | 'turn off'>()
  const close = () => setOpen(undefined)
  const endSetUp = () => {
    close()
    if (totp) onChanged()
  }
  return (
    <Card
      title={m.security_totp()}
      description={m.security_totp_text()}
      actions={
        totp ? (
          <Button onClick={() => setOpen('turn off')}>{m.security_totp_turn_off()}</Button>
        ) : (
          <Button look="primary" onClick={() => setOpen('set up')}>
            {m.security_totp_turn_on()}
          </Button>
        )
      }
    >
      {totp ? <On totp={totp} /> : <Badge tone="neutral">{m.security_off()}</Badge>}
      <TurnOff open={open === 'turn off'} onClose={close} onChanged={onChanged} />
      <SetUpTotp open={open === 'set up'} onClose={endSetUp} />
    </Card>
  )
}

function On({ totp: { created_at, last_used_at } }: { totp: NonNullable<Factors['totp']> }) {
  const since = m.security_since({ date: formatDate(created_at * 1000) })
  const used =
    last_used_at === null
      ? m.security_never_used()
      : m.security_last_used({ when: relativeTime(last_used_at * 1000) })
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted">
      <Badge tone="success">{m.security_on()}</Badge>
      <span>{`${since} · ${used}`}</span>
    </div>
  )
}

type Dialogue = { open: boolean; onClose: () => void; onChanged: () => void }

/**
 * Switches the app off after a code, however recent the last proof is (D26): the attack is somebody who has learned the password,
 * at a session that was left open.
 */
function TurnOff({ open, onClose, onChanged }: Dialogue) {
  const { reauthenticate, dialog } = useReauthentication()
  const form = useForm(async () => {
    if (!(await reauthenticate(['code']))) return
    const answer = await call(deactivateTotp)
    if (answer.status === 200) {
      onClose()
      toastSuccess(() => m.security_totp_turned_off())
      onChanged()
    } else toastError(() => m.security_totp_off_failed(), answer)
    await refreshAuthenticators()
  })
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={m.security_totp_off_title()}
      description={m.security_totp_off_text()}
      form={form}
      act={m.security_totp_turn_off()}
      look="danger"
      proof={dialog}
    />
  )
}
