import { roleText } from '#features/team/texts.ts'
import { useState } from 'react'
import {
  deleteInvitation,
  listMembers,
  resendInvitation,
  type StaffInvitation,
} from '#features/team/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { relativeTime } from '#foundation/web/i18n/format.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toast, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { m } from '#texts/messages.js'

import { useMay } from './team.ts'

/** The invitations that nobody has accepted yet; owners send them again or withdraw them. */
export function Invitations({ items }: { items: readonly StaffInvitation[] }) {
  const mayManage = useMay('team.manage')
  const [withdrawing, setWithdrawing] = useState<StaffInvitation>()
  if (items.length === 0) return null
  return (
    <section aria-labelledby="open-invitations" className="flex flex-col gap-3">
      <h2 id="open-invitations" className="font-semibold">
        {m.team_invitations()}
      </h2>
      <List label={m.team_invitations()}>
        {items.map((invitation) => (
          <ListRow
            key={invitation.id}
            title={invitation.email}
            badge={<Badges invitation={invitation} />}
            detail={factsOf(invitation).join(' · ')}
            actions={
              mayManage ? (
                <>
                  {invitation.waits ? null : <Resend invitation={invitation} />}
                  <Button size="small" onClick={() => setWithdrawing(invitation)}>
                    {m.team_invitation_withdraw()}
                  </Button>
                </>
              ) : undefined
            }
          />
        ))}
      </List>
      {withdrawing ? <Withdraw invitation={withdrawing} onClose={() => setWithdrawing(undefined)} /> : null}
    </section>
  )
}

type Props = { invitation: StaffInvitation }

function Badges({ invitation: { roles, expires_at, waits } }: Props) {
  return (
    <>
      {roles.map((role) => (
        <Badge key={role} tone={role === 'owner' ? 'accent' : 'neutral'}>
          {roleText(role)}
        </Badge>
      ))}
      {waits ? <Badge tone="warning">{m.team_waits()}</Badge> : null}
      {isExpired(expires_at) ? <Badge tone="warning">{m.team_invitation_expired()}</Badge> : null}
    </>
  )
}

const isExpired = (expires_at: string) => Date.parse(expires_at) < Date.now()

const factsOf = ({ invited_by, expires_at }: StaffInvitation): string[] => [
  invited_by === null ? m.team_invited_by_command() : m.team_invited_by({ name: invited_by.name }),
  ...(isExpired(expires_at) ? [] : [m.team_invitation_expires({ time: relativeTime(expires_at) })]),
]

function Resend({ invitation: { id, email } }: Props) {
  const { withProof, dialog } = useReauthentication()
  const resend = useAct(async () => {
    const answer = await withProof(() => call(resendInvitation, { params: { invitationId: id } }))
    if (!answer) return
    refreshQueries(listMembers)
    const [error] = answer.errors
    if (error) toast({ type: 'error', message: () => errorText(error), closeable: true })
    else toastSuccess(() => m.team_invitation_resent({ email }))
  })
  return (
    <>
      <Button size="small" pending={resend.pending} onClick={resend.run}>
        {m.team_invitation_resend()}
      </Button>
      {dialog}
    </>
  )
}

function Withdraw({ invitation: { id, email }, onClose }: Props & { onClose: () => void }) {
  const { withProof, dialog } = useReauthentication()
  const form = useForm(async () => {
    const answer = await withProof(() => call(deleteInvitation, { params: { invitationId: id } }))
    if (!answer) return undefined
    refreshQueries(listMembers)
    // A 404 means that it was accepted or withdrawn meanwhile; the list shows that.
    if (answer.status !== 204 && answer.status !== 404) return answer
    if (answer.status === 204) toastSuccess(() => m.team_invitation_withdrawn({ email }))
    onClose()
    return undefined
  })
  return (
    <FormDialog
      open
      onClose={onClose}
      title={m.team_invitation_withdraw_title({ email })}
      description={m.team_invitation_withdraw_text()}
      form={form}
      act={m.team_invitation_withdraw()}
      look="danger"
      proof={dialog}
    />
  )
}
