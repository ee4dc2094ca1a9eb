import { useState } from 'react'
import { deleteGrant, listGrants, type Grant } from '#features/sharing/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { m } from '#texts/messages.js'

type Props = { grant: Grant; side: 'given' | 'received' }

/** The button and the dialog that revoke a grant, withdraw an invitation, or leave an account. */
export function EndGrant({ grant, side }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        {labelOf(grant, side)}
      </Button>
      {open ? <Confirm grant={grant} side={side} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

function labelOf({ state }: Grant, side: Props['side']): string {
  if (side === 'received') return m.sharing_leave()
  return state === 'invited' ? m.sharing_withdraw() : m.sharing_revoke()
}

function Confirm({ grant, side, onClose }: Props & { onClose: () => void }) {
  const name = grant.account?.name ?? grant.email
  const isGiven = side === 'given'
  const form = useForm(async () => {
    const answer = await call(deleteGrant, { params: { grantId: grant.id } })
    refreshQueries(listGrants)
    // A 404 means that the other side has ended it meanwhile; the list shows that.
    if (answer.status !== 204 && answer.status !== 404) return answer
    if (answer.status === 204) toastSuccess(isGiven ? m.sharing_revoked : m.sharing_left)
    onClose()
    return undefined
  })
  return (
    <FormDialog
      open
      onClose={onClose}
      title={isGiven ? m.sharing_revoke_title({ name }) : m.sharing_leave_title({ name })}
      description={isGiven ? m.sharing_revoke_text() : m.sharing_leave_text()}
      form={form}
      act={labelOf(grant, side)}
      look="danger"
    />
  )
}
