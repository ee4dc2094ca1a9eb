import { useState } from 'react'
import { createGrant, listGrants } from '#features/sharing/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { Form, SubmitButton } from '#foundation/web/form/form.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { CheckboxField } from '#foundation/web/ui/checkbox-field.tsx'
import { Dialog, DialogActions } from '#foundation/web/ui/dialog.tsx'
import { LoadMore } from '#foundation/web/ui/load-more.tsx'
import { EmailField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { useHostsOf } from './hooks.ts'

/** Asks for an address, and for which servers. */
export function InvitationDialog({ open, onClose }: DialogProps) {
  const [all, setAll] = useState(true)
  const { hosts = [], ...pages } = useHostsOf()
  const form = useForm(async (fields) => {
    const email = fields.text('email')
    const chosen = hosts.map(({ id }) => id).filter((id) => fields.checked(id))
    const body = {
      email,
      role: 'technical' as const,
      all_hosts: all,
      ...(all ? {} : { host_ids: chosen }),
      needs_second_factor: fields.checked('needs_second_factor'),
    }
    const answer = await call(createGrant, { body })
    if (answer.status !== 201) return answer
    refreshQueries(listGrants)
    toastSuccess(() => m.sharing_sent({ email }))
    onClose()
    return undefined
  })
  return (
    <Dialog open={open} onClose={onClose} title={m.sharing_invite_title()}>
      <Form form={form} label={m.sharing_invite()}>
        <Alert>{m.sharing_invite_text()}</Alert>
        <EmailField name="email" label={m.sharing_email()} autoComplete="off" required />
        <CheckboxField
          name="all_hosts"
          label={m.sharing_all()}
          checked={all}
          onChange={(event) => setAll(event.target.checked)}
        />
        {all ? null : (
          <fieldset className="flex max-h-60 flex-col gap-3 overflow-y-auto pl-8">
            <legend className="mb-2 text-sm font-medium">{m.sharing_some()}</legend>
            {hosts.length === 0 ? <p className="text-sm text-muted">{m.sharing_hosts_none()}</p> : null}
            {hosts.map(({ id, name }) => (
              <CheckboxField key={id} name={id} label={name} />
            ))}
            <LoadMore pages={pages} />
          </fieldset>
        )}
        <CheckboxField name="needs_second_factor" label={m.sharing_factor()} hint={m.sharing_factor_hint()} />
        <DialogActions>
          <Button onClick={onClose}>{m.ui_cancel()}</Button>
          <SubmitButton>{m.sharing_send()}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
