import Ellipsis from 'lucide-react/icons/ellipsis'
import { useState } from 'react'
import { makePrimary, removeAddress, resendConfirmation } from '#features/profile/contract.ts'
import type { AnswerStatus } from '#foundation/web/api/answer.ts'
import { call } from '#foundation/web/api/call.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import {
  useReauthentication,
  type Reauthentication,
} from '#foundation/web/reauthentication/reauthentication.tsx'
import { toast, toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { iconButtonClass } from '#foundation/web/ui/icon-button.tsx'
import { Menu, MenuItem } from '#foundation/web/ui/menu.tsx'
import { addressTexts } from '#features/profile/texts.ts'
import { m } from '#texts/messages.js'
import { refreshAddresses } from './settings-hooks.ts'

type Address = { email: string; verified: boolean; primary: boolean }

/** One address, with the actions that are permitted for it. */
export function EmailAddressRow({ address }: { address: Address }) {
  const { email, verified, primary } = address
  const [removing, setRemoving] = useState(false)
  const { withProof, dialog } = useReauthentication()
  return (
    <li className="flex items-center gap-3 py-3">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-2 text-sm font-medium [overflow-wrap:anywhere]">
          <span>{email}</span>
          {primary ? <Badge tone="accent">{m.profile_email_primary()}</Badge> : null}
          {verified ? (
            <Badge tone="success">{addressTexts.confirmed()}</Badge>
          ) : (
            <Badge tone="warning">{addressTexts.unconfirmed()}</Badge>
          )}
        </div>
        {verified ? null : <Resend email={email} withProof={withProof} />}
      </div>
      {primary ? null : (
        <Menu
          label={m.profile_email_actions({ email })}
          trigger={<Ellipsis size={18} aria-hidden="true" />}
          triggerClass={iconButtonClass}
          align="end"
        >
          {verified ? (
            <MenuItem onSelect={() => void choose(email, withProof)}>
              {m.profile_email_make_primary()}
            </MenuItem>
          ) : null}
          <MenuItem tone="danger" onSelect={() => setRemoving(true)}>
            {m.profile_email_remove()}
          </MenuItem>
        </Menu>
      )}
      <RemoveAddress email={email} open={removing} onClose={() => setRemoving(false)} withProof={withProof} />
      {dialog}
    </li>
  )
}

type WithProof = Reauthentication['withProof']

function Resend({ email, withProof }: { email: string; withProof: WithProof }) {
  const resend = useAct(async () => {
    const answer = await withProof(() => call(resendConfirmation, { body: { email } }))
    if (!answer) return
    if (answer.status === 200) toastSuccess(() => m.profile_email_resent({ email }))
    else if (answer.status === 403) toast({ message: () => m.profile_email_resend_later() })
    else showError(answer)
  })
  return (
    <div className="-ml-3 mt-1">
      <Button look="quiet" size="small" pending={resend.pending} onClick={resend.run}>
        {m.profile_email_resend()}
      </Button>
    </div>
  )
}

async function choose(email: string, withProof: WithProof): Promise<void> {
  const answer = await withProof(() => call(makePrimary, { body: { email, primary: true } }))
  if (!answer) return
  if (answer.status === 200) toastSuccess(() => m.profile_email_made_primary({ email }))
  else showError(answer)
  await refreshAddresses()
}

type Removal = { email: string; open: boolean; onClose: () => void; withProof: WithProof }

function RemoveAddress({ email, open, onClose, withProof }: Removal) {
  const form = useForm(async () => {
    const answer = await withProof(() => call(removeAddress, { body: { email } }))
    if (!answer) return
    onClose()
    if (answer.status === 200) toastSuccess(() => m.profile_email_removed({ email }))
    else showError(answer)
    await refreshAddresses()
  })
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={m.profile_email_remove_title({ email })}
      description={m.profile_email_remove_text()}
      form={form}
      act={m.profile_email_remove()}
      look="danger"
    />
  )
}

function showError(answer: AnswerStatus): void {
  const [error] = answer.errors
  if (error) toastError(() => errorText(error), answer)
}
