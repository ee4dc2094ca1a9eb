import { paths } from '#features/paths.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { TextLink } from '#foundation/web/navigation.tsx'
import { m } from '#texts/messages.js'

/** The notice above every page of a customer whom staff have blocked: it says what no longer works, and shows the message of staff. */
export function BlockedNotice({ message }: { message: string }) {
  return (
    <div className="mx-auto mb-6 w-full max-w-[70rem]">
      <Alert tone="warning">
        <p className="font-medium">{m.profile_blocked()}</p>
        <p>{m.profile_blocked_text()}</p>
        {message ? (
          <p dir="auto" className="mt-1 whitespace-pre-wrap [overflow-wrap:anywhere]">
            {message}
          </p>
        ) : null}
        <p className="mt-1">
          <TextLink to={paths.tickets()}>{m.profile_blocked_contact()}</TextLink>
        </p>
      </Alert>
    </div>
  )
}
