import { latestRequestId } from '#foundation/web/api/events.ts'
import { CallError } from '#foundation/web/api/query.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { m } from '#texts/messages.js'
import { Button } from './button.tsx'
import { RequestNumber } from './request-number.tsx'

type Props = {
  /** Names the failed action: 'Failed to fetch user profile'. */
  title: string
  /** The error that a query threw. */
  error?: unknown
  onRetry?: (() => void) | undefined
}

/** Takes the place of content that could not be loaded: shows the error, the request id for support, and a button to retry. */
export function ErrorState({ title, error, onRetry }: Props) {
  const answer = error instanceof CallError ? error.answer : undefined
  const requestId = answer?.requestId ?? (answer ? undefined : latestRequestId())
  return (
    <div
      role="alert"
      className="flex flex-col items-start gap-3 rounded-lg border border-line bg-surface p-5"
    >
      <div>
        <h2 className="font-semibold">{title}</h2>
        <p className="mt-1 text-sm text-muted">
          {answer?.errors[0] ? errorText(answer.errors[0]) : m.error_unknown()}
        </p>
      </div>
      {requestId ? (
        <div className="text-muted">
          <RequestNumber id={requestId} />
        </div>
      ) : null}
      {onRetry ? <Button onClick={onRetry}>{m.ui_retry()}</Button> : null}
    </div>
  )
}
