import CircleCheck from 'lucide-react/icons/circle-check'
import { useQuery } from '@tanstack/react-query'
import { readSystem, type System } from '#features/operations/contract.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { formatBytes, formatDuration, relativeTime } from '#foundation/web/i18n/format.ts'
import { useTitle } from '#foundation/web/title.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { Facts } from '#foundation/web/ui/facts.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { CardsSkeleton } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'
import { DeadMails, FailedJobs } from './failed-work.tsx'
import { SetupList } from './setup-list.tsx'
import { Holds, Limits } from './limits-and-holds.tsx'

/** The heights of what needs attention, the overview, and the queue. */
const CARDS = [
  { phone: 46, wide: 46 },
  { phone: 418, wide: 358 },
  { phone: 56, wide: 56 },
]
const EVERY_ms = 10_000

/** How the installation is doing, and what failed for good. */
export function SystemPage() {
  const query = useQuery({ ...queryFor(readSystem), refetchInterval: EVERY_ms })
  useTitle(m.operations_system())
  return (
    <Page title={m.operations_system()} description={m.operations_system_description()}>
      <Loaded query={query} failed={m.operations_system_failed()} waiting={<CardsSkeleton cards={CARDS} />}>
        {(data) => (
          <>
            <SetupList system={data} />
            <Warnings system={data} />
            <Card title={m.operations_system_overview()}>
              <Facts facts={factsOf(data)} />
            </Card>
            <Limits limits={data.limits} />
            <Holds holds={data.holds} />
            <Queue queue={data.queue} />
            <FailedJobs />
            <DeadMails />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Warnings({ system: { warnings, settings, setup } }: { system: System }) {
  const isSetUp = setup.every(({ state }) => state !== 'open')
  if (warnings.length + settings.length === 0 && !isSetUp) return null
  if (warnings.length + settings.length === 0)
    return (
      <Alert tone="success" icon={<CircleCheck size={18} aria-hidden="true" className="mt-px shrink-0" />}>
        {m.operations_system_fine()}
      </Alert>
    )
  return (
    <Alert tone="warning">
      <p className="font-medium">{m.operations_system_attention()}</p>
      <ul className="flex list-disc flex-col gap-1 pl-4">
        {warnings.map((warning) => (
          <li key={warning}>{warningTexts[warning]()}</li>
        ))}
        {settings.map((line) => (
          <li key={line} lang="en" className="[overflow-wrap:anywhere]">
            {line}
          </li>
        ))}
      </ul>
    </Alert>
  )
}

const warningTexts: Readonly<Record<System['warnings'][number], () => string>> = {
  no_worker: m.operations_system_no_worker,
  queue_late: m.operations_system_queue_late,
  jobs_failed: m.operations_system_jobs_failed,
  mails_dead: m.operations_system_mails_dead,
  mails_waiting: m.operations_system_mails_waiting,
  backup_missing: m.operations_system_backup_missing,
  backup_late: m.operations_system_backup_late,
  disk_low: m.operations_system_disk_low,
  rates_missing: m.operations_system_rates_missing,
  limit_near: m.operations_system_limit_near,
  limit_passed: m.operations_system_limit_passed,
  no_plan: m.operations_system_no_plan,
}

function factsOf(system: System) {
  const { disk, last_backup_at } = system
  const free = { free: formatBytes(disk.free_bytes), total: formatBytes(disk.total_bytes) }
  const facts: [string, string][] = [
    [m.operations_system_version(), system.version],
    [m.operations_system_node(), system.node],
    [m.operations_system_database(), system.database],
    [m.operations_system_schema(), system.schema],
    [m.operations_system_processes(), String(system.processes)],
    [m.operations_system_streams(), String(system.streams)],
    [m.operations_system_mails(), String(system.mails.owed)],
    [m.operations_system_stored(), formatBytes(system.stored_bytes)],
    [m.operations_system_disk(), m.operations_system_disk_of(free)],
    [
      m.operations_system_backup(),
      last_backup_at === null ? m.operations_system_never() : relativeTime(last_backup_at),
    ],
  ]
  return facts.map(([name, value]) => ({ name, value }))
}

function Queue({ queue }: { queue: System['queue'] }) {
  return (
    <section className="flex flex-col gap-3">
      <h2 className="font-semibold">{m.operations_system_queue()}</h2>
      {queue.length === 0 ? (
        <p className="text-sm text-muted">{m.operations_system_queue_empty()}</p>
      ) : (
        <List label={m.operations_system_queue()}>
          {queue.map(({ name, ...counts }) => (
            <ListRow
              key={name}
              title={<code className="font-mono text-xs">{name}</code>}
              detail={countsOf(counts)}
            />
          ))}
        </List>
      )}
    </section>
  )
}

/** Returns 'Waiting: 3 · Running: 1', without the counts that are zero. */
function countsOf({ waiting, running, failed, oldest_s }: Omit<System['queue'][number], 'name'>): string {
  const count = (number: number) => ({ count: String(number) })
  return [
    waiting > 0
      ? m.operations_system_waiting({ ...count(waiting), time: formatDuration(oldest_s) })
      : undefined,
    running > 0 ? m.operations_system_running(count(running)) : undefined,
    failed > 0 ? m.operations_system_gave_up(count(failed)) : undefined,
  ]
    .filter(Boolean)
    .join(' · ')
}
