import { useState } from 'react'
import type { ReactNode } from 'react'
import { listDevices } from '#features/security/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { m } from '#texts/messages.js'
import { endDevices } from './hooks.ts'

/**
 * Asks, after a second factor was added or removed, whether the other devices stay signed in: they signed in by the former
 * factors. `offer` does nothing if there are none. The page renders `dialog`.
 */
export function useOfferToSignOutOthers(): { offer: () => void; dialog: ReactNode } {
  const [others, setOthers] = useState<number[]>([])
  const offer = () => {
    void call(listDevices).then((answer) => {
      if (answer.status !== 200) return
      setOthers(answer.body.data.filter((device) => !device.is_current).map((device) => device.id))
    })
  }
  const dialog = <SignOutOthers others={others} onClose={() => setOthers([])} />
  return { offer, dialog }
}

function SignOutOthers({ others, onClose }: { others: number[]; onClose: () => void }) {
  const form = useForm(async () => {
    const answer = await endDevices(others)
    onClose()
    const [error] = answer.errors
    if (error) toastError(() => errorText(error))
    else toastSuccess(() => m.security_devices_signed_out())
  })
  return (
    <FormDialog
      open={others.length > 0}
      onClose={onClose}
      title={m.security_others_title()}
      description={m.security_others_text()}
      form={form}
      act={m.security_devices_sign_out_all()}
      back={<Button onClick={onClose}>{m.security_others_keep()}</Button>}
    />
  )
}
