import { useQuery } from '@tanstack/react-query'
import { readSystem, readToday, type Today } from '#features/operations/contract.ts'
import { todayNews } from '#features/operations/slots.ts'
import { paths } from '#features/paths.ts'
import { useMay, useStaffMe } from '#features/team/web/team.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { formatMonth } from '#foundation/web/i18n/format.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { Slot } from '#foundation/web/slots.tsx'
import { useTitle } from '#foundation/web/title.ts'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { Skeleton } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'
import { FigureLink } from './figure-link.tsx'
import { SetupList } from './setup-list.tsx'

const EVERY_ms = 10_000

/** The first look of a day: what waits for staff, and how the month goes. Each figure leads to the list that it counts. */
export function TodayPage() {
  const query = useQuery({ ...queryFor(readToday), refetchInterval: EVERY_ms })
  const mayReadSystem = useMay('system.read')
  // A step is done on another page, and the list is read again on the way back.
  const system = useQuery({ ...queryFor(readSystem), enabled: mayReadSystem, staleTime: 0 })
  // The list and the figures come at once: a list that came later would push the figures down.
  const isWhole = !mayReadSystem || !system.isPending
  const shown = { ...query, data: isWhole ? query.data : undefined }
  useTitle(m.shell_today())
  return (
    <Page title={m.shell_today()} description={m.operations_today_text()}>
      {shown.data && system.data ? <SetupList system={system.data} most={3} /> : null}
      <Loaded query={shown} failed={m.operations_today_failed()} waiting={<Waiting />}>
        {(today) => (
          <>
            <ul aria-label={m.shell_today()} className="flex flex-wrap gap-4">
              {figuresOf(today).map((figure) => (
                <Tile key={figure.to} {...figure} />
              ))}
            </ul>
            {/* The room of what comes last is there before it, and nothing below moves. */}
            <div className="min-h-24">
              <Slot of={todayNews} props={{}} waiting={null} />
            </div>
          </>
        )}
      </Loaded>
    </Page>
  )
}

type Figure = { to: string; name: string; value: string; detail: string }

/** The figures that this member may read, what waits longest first. */
function figuresOf({
  tickets,
  held_mails: held = 0,
  transfers,
  payouts = 0,
  approvals,
  servers,
  month,
  income,
}: Today): Figure[] {
  const shown = (figure: Figure | null): Figure[] => (figure ? [figure] : [])
  return [
    ...shown(
      tickets && {
        to: paths.desk({ tab: 'incoming' }),
        name: m.operations_today_tickets(),
        value: String(tickets.incoming),
        detail: m.operations_today_late({ count: String(tickets.late) }),
      },
    ),
    ...shown(
      tickets?.overdue
        ? {
            to: paths.desk({ tab: 'all', late: 'yes' }),
            name: m.operations_today_overdue(),
            value: String(tickets.overdue),
            detail: m.operations_today_overdue_text(),
          }
        : null,
    ),
    ...shown(
      held === 0
        ? null
        : {
            to: paths.heldMails(),
            name: m.operations_today_held(),
            value: String(held),
            detail: m.operations_today_held_text(),
          },
    ),
    ...shown(
      tickets?.poor
        ? {
            to: paths.supportReport(),
            name: m.operations_today_poor(),
            value: String(tickets.poor),
            detail: m.operations_today_poor_text(),
          }
        : null,
    ),
    ...shown(
      transfers === null
        ? null
        : {
            to: paths.transfers(),
            name: m.operations_today_transfers(),
            value: String(transfers),
            detail: m.operations_today_transfers_text(),
          },
    ),
    ...shown(
      payouts === 0
        ? null
        : {
            to: paths.payouts(),
            name: m.operations_today_payouts(),
            value: String(payouts),
            detail: m.operations_today_payouts_text(),
          },
    ),
    ...shown(
      approvals === null
        ? null
        : {
            to: paths.approvals(),
            name: m.operations_today_approvals(),
            value: String(approvals),
            detail: m.operations_today_approvals_text(),
          },
    ),
    ...shown(
      servers && {
        to: paths.allHosts({ state: 'offline' }),
        name: m.operations_today_offline(),
        value: String(servers.offline),
        detail: m.operations_today_offline_since({ count: String(servers.since_today) }),
      },
    ),
    ...shown(
      income && {
        to: paths.reports({ tab: 'figures' }),
        name: m.operations_today_income(),
        value: formatMoney(income),
        detail: m.operations_today_month({ month: formatMonth(`${month}-15`) }),
      },
    ),
  ]
}

const Tile = (figure: Figure) => (
  <li className={tileClass}>
    <FigureLink {...figure} className={classNames('flex-1 sm:grid-cols-1', heightClass)} />
  </li>
)

/** The room of a tile, also before its content has come. On a phone tiles are flat, so that all figures are seen at once. */
const heightClass = 'min-h-20 sm:min-h-32'
/** A row has three tiles at most, and no hole: the last ones grow. */
const tileClass = 'flex flex-1 basis-full sm:basis-[calc(50%-1rem)] lg:basis-[calc(33.3%-1rem)]'

function Waiting() {
  const permissions = useStaffMe(true).data?.permissions ?? []
  return (
    <div className="flex flex-wrap gap-4">
      {needed
        .filter((permission) => permissions.includes(permission))
        .map((permission) => (
          <div key={permission} className={tileClass}>
            <Skeleton className={classNames('flex-1 rounded-lg', heightClass)} />
          </div>
        ))}
    </div>
  )
}

/** The permissions of which each gives a figure. */
const needed = ['tickets.desk', 'banking.read', 'approvals.read', 'customers.read', 'books.read']
