import { useState } from 'react'
import { renewRecoveryCodes } from '#features/security/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { m } from '#texts/messages.js'
import { refreshAuthenticators, type Factors } from './hooks.ts'
import { CodeSheet } from './code-sheet.tsx'

const FEW = 3

/** The card that says how many recovery codes are left, with buttons to see them and to make new ones (row A-09). */
export function RecoveryCodes({ codes }: { codes: NonNullable<Factors['codes']> }) {
  const [open, setOpen] = useState<'shown' | 'renewing'>()
  const close = () => setOpen(undefined)
  const { unused_code_count: left, total_code_count: total } = codes
  return (
    <Card
      title={m.security_codes()}
      description={m.security_codes_text()}
      actions={
        <>
          <Button onClick={() => setOpen('shown')}>{m.security_codes_show()}</Button>
          <Button onClick={() => setOpen('renewing')}>{m.security_codes_renew()}</Button>
        </>
      }
    >
      <p className={left <= FEW ? 'text-sm text-warning-text' : 'text-sm text-muted'}>
        {m.security_codes_left({ left, total })}
      </p>
      <Dialog
        open={open === 'shown'}
        onClose={close}
        title={m.security_codes()}
        description={m.security_codes_keep()}
      >
        <CodeSheet onRefused={close} />
      </Dialog>
      <Renew open={open === 'renewing'} onClose={close} onDone={() => setOpen('shown')} />
    </Card>
  )
}

function Renew({ open, onClose, onDone }: { open: boolean; onClose: () => void; onDone: () => void }) {
  const { withProof, dialog } = useReauthentication()
  const form = useForm(async () => {
    const answer = await withProof(() => call(renewRecoveryCodes))
    if (!answer) return
    const [error] = answer.errors
    if (error) {
      toastError(() => errorText(error), answer)
      return
    }
    toastSuccess(() => m.security_codes_renewed())
    onDone()
    await refreshAuthenticators()
  })
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={m.security_codes_renew_title()}
      description={m.security_codes_renew_text()}
      form={form}
      act={m.security_codes_renew()}
      proof={dialog}
    />
  )
}
