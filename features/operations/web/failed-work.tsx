import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  dropJob,
  listDeadMails,
  listFailedJobs,
  readSystem,
  retryDeadMail,
  retryJob,
} from '#features/operations/contract.ts'
import { useMay } from '#features/team/web/team.ts'
import type { AnswerStatus } from '#foundation/web/api/answer.ts'
import { call } from '#foundation/web/api/call.ts'
import { queryFor, refreshQueries } from '#foundation/web/api/query.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { Coming } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'

/** The jobs that used up all attempts; shows nothing if there are none. */
export function FailedJobs() {
  const { data, error } = useQuery(queryFor(listFailedJobs))
  const mayRetry = useMay('system.retry')
  if (!data) return <Coming of={{ error }} />
  const { items } = data
  if (items.length === 0) return null
  return (
    <section className="flex flex-col gap-3">
      <h2 className="font-semibold">{m.operations_system_failed_jobs()}</h2>
      <List label={m.operations_system_failed_jobs()}>
        {items.map(({ id, name, attempts, last_error }) => (
          <ListRow
            key={id}
            title={<code className="font-mono text-xs">{name}</code>}
            detail={detailOf(attempts, last_error)}
            actions={mayRetry ? <JobActions jobId={id} /> : undefined}
          />
        ))}
      </List>
    </section>
  )
}

/** The buttons of a job. Deleting asks for confirmation in place, because the work of the job is then never done. */
function JobActions({ jobId }: { jobId: string }) {
  const [asking, setAsking] = useState(false)
  const params = { jobId }
  if (asking)
    return (
      <>
        <Button size="small" onClick={() => setAsking(false)}>
          {m.ui_cancel()}
        </Button>
        <Act
          look="danger"
          text={m.operations_system_delete_sure()}
          send={() => call(dropJob, { params })}
          done={m.operations_system_deleted}
        />
      </>
    )
  return (
    <>
      <Act
        text={m.operations_system_retry()}
        send={() => call(retryJob, { params })}
        done={m.operations_system_retried}
      />
      <Button size="small" onClick={() => setAsking(true)}>
        {m.operations_system_delete()}
      </Button>
    </>
  )
}

/** The mails that were given up, without their texts; shows nothing if there are none. */
export function DeadMails() {
  const { data, error } = useQuery(queryFor(listDeadMails, { query: {} }))
  const mayRetry = useMay('system.retry')
  if (!data) return <Coming of={{ error }} />
  const { items } = data
  if (items.length === 0) return null
  return (
    <section className="flex flex-col gap-3">
      <h2 className="font-semibold">{m.operations_system_dead_mails()}</h2>
      <List label={m.operations_system_dead_mails()}>
        {items.map(({ id, to, template, attempts, last_error, created_at }) => (
          <ListRow
            key={id}
            title={to}
            detail={`${template} · ${formatDateTime(created_at)} · ${detailOf(attempts, last_error)}`}
            actions={
              mayRetry ? (
                <Act
                  text={m.operations_system_retry()}
                  send={() => call(retryDeadMail, { params: { mailId: id } })}
                  done={m.operations_system_retried}
                />
              ) : undefined
            }
          />
        ))}
      </List>
    </section>
  )
}

const detailOf = (attempts: number, error: string) =>
  [m.operations_system_attempts({ count: String(attempts) }), error].filter(Boolean).join(' · ')

type ActProps = { look?: 'danger'; text: string; send: () => Promise<AnswerStatus>; done: () => string }

function Act({ look, text, send, done }: ActProps) {
  const act = useAct(async () => {
    const answer = await send()
    if (answer.status === 204) toastSuccess(done)
    else toastError(m.operations_system_act_failed, answer)
    for (const route of [listFailedJobs, listDeadMails, readSystem]) refreshQueries(route)
  })
  return (
    <Button size="small" {...(look && { look })} pending={act.pending} onClick={act.run}>
      {text}
    </Button>
  )
}
