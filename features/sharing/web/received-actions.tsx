import { paths } from '#features/paths.ts'
import { acceptGrant, declineGrant, listGrants, type Grant } from '#features/sharing/contract.ts'
import { actFor } from '#foundation/web/acting.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { toast, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { m } from '#texts/messages.js'
import { EndGrant } from './end-grant.tsx'

/** The actions of a helper for a grant: accept or decline the invitation, then open the servers, or leave. */
export function ReceivedActions({ grant }: { grant: Grant }) {
  const { account } = grant
  if (grant.state === 'invited') return <Answer grant={grant} />
  return (
    <>
      {account ? (
        <Button size="small" onClick={() => actFor({ ...account, role: grant.role }, paths.hosts())}>
          {m.sharing_servers()}
        </Button>
      ) : null}
      <EndGrant grant={grant} side="received" />
    </>
  )
}

function Answer({ grant: { id, account } }: { grant: Grant }) {
  const answerWith = async (kind: 'accept' | 'decline') => {
    const answer = await call(kind === 'accept' ? acceptGrant : declineGrant, { params: { grantId: id } })
    refreshQueries(listGrants)
    const [error] = answer.errors
    if (error) toast({ type: 'error', message: () => errorText(error), closeable: true })
    else if (kind === 'accept') toastSuccess(() => m.sharing_accepted({ name: account?.name ?? '' }))
    else toastSuccess(m.sharing_declined)
  }
  const accepting = useAct(() => answerWith('accept'))
  const declining = useAct(() => answerWith('decline'))
  return (
    <>
      <Button size="small" pending={declining.pending} onClick={declining.run}>
        {m.sharing_decline()}
      </Button>
      <Button size="small" look="primary" pending={accepting.pending} onClick={accepting.run}>
        {m.sharing_accept()}
      </Button>
    </>
  )
}
