import { useQuery } from '@tanstack/react-query'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { useState, type ReactNode } from 'react'
import type { Attempt, Endpoint } from '#features/webhooks/contract.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { CopyButton } from '#foundation/web/ui/copy-button.tsx'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { m } from '#texts/messages.js'
import { resultText } from './attempt-text.ts'
import { callsOf, type Side } from './calls.ts'
import { curlOf } from './curl.ts'
import { SendAgain } from './send-again.tsx'

const REFRESH_ms = 10_000

/** The last attempts of an endpoint, each with its request and its answer. */
export function AttemptList({ side, endpoint: { id } }: { side: Side; endpoint: Endpoint }) {
  const query = useQuery({
    ...queryFor(callsOf(side).attempts, { params: { endpointId: id } }),
    refetchInterval: REFRESH_ms,
  })
  return (
    <Card title={m.webhooks_attempts()} description={m.webhooks_attempts_text()}>
      <LoadedList
        query={query}
        failed={m.webhooks_attempts_failed()}
        waiting="h-40"
        none={m.webhooks_attempts_none()}
      >
        {(attempts) => (
          <ul
            aria-label={m.webhooks_attempts()}
            className="ruled overflow-hidden rounded-lg border border-line"
          >
            {attempts.map((attempt) => (
              <li key={attempt.number}>
                <AttemptRow attempt={attempt}>
                  {attempt.seq === null ? null : <SendAgain side={side} endpointId={id} seq={attempt.seq} />}
                </AttemptRow>
              </li>
            ))}
          </ul>
        )}
      </LoadedList>
    </Card>
  )
}

/** A row that opens; its content is drawn when it does. */
function AttemptRow({ attempt, children }: { attempt: Attempt; children: ReactNode }) {
  const [open, setOpen] = useState(false)
  const { is_ok, type, at, request, answer } = attempt
  return (
    <details className="group" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex cursor-pointer list-none flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3 text-sm hover:bg-hover">
        <ChevronRight
          size={16}
          aria-hidden="true"
          className="shrink-0 text-muted transition-transform group-open:rotate-90"
        />
        <Badge tone={is_ok ? 'success' : 'danger'}>{is_ok ? m.webhooks_ok() : m.webhooks_not_ok()}</Badge>
        <code className="min-w-0 flex-1 basis-40 font-mono text-xs [overflow-wrap:anywhere]">{type}</code>
        <span className="text-muted">{resultText(attempt)}</span>
        <time dateTime={at} className="text-muted">
          {formatDateTime(at)}
        </time>
      </summary>
      {open ? (
        <div className="flex flex-col gap-4 border-t border-line bg-sunken px-4 py-4">
          <Message title={m.webhooks_request()} head={[`POST ${request.url}`, ...linesOf(request.headers)]}>
            {request.body === null ? m.webhooks_body_gone() : indented(request.body)}
          </Message>
          {answer ? (
            <Message title={m.webhooks_answer()} head={[`HTTP ${answer.status}`, ...linesOf(answer.headers)]}>
              {answer.body === '' ? m.webhooks_answer_empty() : indented(answer.body)}
            </Message>
          ) : null}
          <div className="flex flex-wrap gap-2">
            {request.body === null ? null : <CopyButton text={curlOf(attempt)} label={m.webhooks_curl()} />}
            <div className="contents">{children}</div>
          </div>
        </div>
      ) : null}
    </details>
  )
}

function Message({ title, head, children }: { title: string; head: readonly string[]; children: string }) {
  return (
    <section>
      <h3 className="mb-1.5 text-sm font-medium">{title}</h3>
      <pre className="rounded-md border border-line bg-surface p-3 font-mono text-xs leading-5 whitespace-pre-wrap [overflow-wrap:anywhere]">
        {`${head.join('\n')}\n\n${children}`}
      </pre>
    </section>
  )
}

const linesOf = (headers: Readonly<Record<string, string>>): string[] =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`)

function indented(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    return JSON.stringify(value, undefined, 2)
  } catch {
    return text
  }
}
