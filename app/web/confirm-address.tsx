import { useEffect, useState } from 'react'
import { disownAddress, verifyEmail } from '#features/auth/contract.ts'
import { inspectKey, questionOf, type ConfirmationRequest } from '#features/auth/web/confirmation.ts'
import { refreshAddresses } from '#features/profile/web/settings-hooks.ts'
import type { ApiError } from '#foundation/errors.ts'
import { call } from '#foundation/web/api/call.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toast, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Dialog, DialogActions } from '#foundation/web/ui/dialog.tsx'
import { m } from '#texts/messages.js'
import { askToConfirm } from './requested-key.ts'

/** The dialog for the link of a confirmation mail, if the person is signed in: it names the account of the link and asks to go on. */
export function ConfirmAddress({ verificationKey: key }: { verificationKey: string }) {
  const [asked, setAsked] = useState<ConfirmationRequest>()
  const { withProof, dialog } = useReauthentication()
  useEffect(() => {
    void inspectKey(key).then((answer) => {
      if (answer.status === 200) setAsked(answer.body.data)
      else end(answer.errors)
    })
  }, [key])

  const confirming = useAct(async () => {
    const answer = await withProof(() => call(verifyEmail, { body: { key } }))
    if (!answer) return
    if (answer.status === 200 || answer.status === 401) toastSuccess(m.shell_address_confirmed)
    end(answer.status === 401 ? [] : answer.errors)
    await refreshAddresses()
  })
  const disowning = useAct(async () => {
    const answer = await call(disownAddress, { body: { key } })
    if (answer.status === 200) toastSuccess(m.auth_verify_disowned)
    end(answer.errors)
    await refreshAddresses()
  })
  const pending = confirming.pending || disowning.pending
  if (!asked) return null
  return (
    <>
      <Dialog open onClose={() => end([])} title={m.auth_verify_title()} description={questionOf(asked)}>
        <p className="text-sm text-muted">{m.auth_verify_warning()}</p>
        <DialogActions>
          <Button pending={pending} onClick={disowning.run}>
            {m.auth_verify_not_me()}
          </Button>
          <Button look="primary" pending={pending} onClick={confirming.run}>
            {m.auth_verify_action()}
          </Button>
        </DialogActions>
      </Dialog>
      {dialog}
    </>
  )
}

function end([error]: readonly ApiError[]): void {
  askToConfirm(undefined)
  if (error) toast({ type: 'error', message: () => errorText(error), closeable: true })
}
