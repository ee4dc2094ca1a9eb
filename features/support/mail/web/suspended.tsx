import { actedFor } from '#foundation/web/acting.ts'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { useAct } from '#foundation/web/use-act.ts'
import { m } from '#texts/messages.js'
import { retryAddress, useSuspended } from './hooks.ts'

/** Says on the list of tickets that mails to an address of one's own come back. */
export function SuspendedAlerts() {
  const { data } = useSuspended()
  return data?.items.map(({ email }) => <SuspendedAlert key={email} email={email} isStaff={false} />)
}

/** Only the owner of the address knows when it works again, and tries it. */
export function SuspendedAlert({ email, isStaff }: { email: string; isStaff: boolean }) {
  const retry = useAct(async () => {
    const answer = await retryAddress(email)
    if (answer.status === 204) toastSuccess(m.mail_in_retried)
    else toastError(m.mail_in_act_failed, answer)
  })
  return (
    <Alert tone="warning">
      <p className="[overflow-wrap:anywhere]">
        {isStaff ? m.mail_in_suspended_staff({ email }) : m.mail_in_suspended({ email })}
      </p>
      {isStaff || actedFor() ? null : (
        <p className="mt-2">
          <Button size="small" pending={retry.pending} onClick={retry.run}>
            {m.mail_in_retry()}
          </Button>
        </p>
      )}
    </Alert>
  )
}
