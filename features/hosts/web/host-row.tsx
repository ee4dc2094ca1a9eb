import { paths } from '#features/paths.ts'
import Ellipsis from 'lucide-react/icons/ellipsis'
import type { MouseEvent, ReactNode } from 'react'
import type { Host } from '#features/hosts/contract.ts'
import { addressText, isProgram } from '#features/hosts/rules.ts'
import { copyText } from '#foundation/web/copy-text.ts'
import { formatTerm } from '#foundation/web/i18n/format.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { Link, useGo } from '#foundation/web/navigation.tsx'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { iconButtonClass } from '#foundation/web/ui/icon-button.tsx'
import { Menu, MenuItem } from '#foundation/web/ui/menu.tsx'
import { m } from '#texts/messages.js'
import { ConnectionStatus, LicenceStatus, timeLeft } from './status.tsx'

/** The dialogs that the menu of a row opens. The list contains each dialog once, for all rows. */
export type HostAction = 'rename' | 'delete'

type Props = { host: Host; onAct: (act: HostAction, host: Host) => void; children?: ReactNode }

/** One server: a line of a table on wide screens, a card on a phone. A click anywhere on it leads to the page of the server. */
export function HostRow({ host, onAct, children }: Props) {
  const go = useGo()
  const locale = useLocale()
  const open = (event: MouseEvent) => {
    const inControl = event.target instanceof Element && event.target.closest('a, button, [popover]') !== null
    if (!inControl) void go(paths.host(host.id))
  }
  return (
    // The link covers the row; this handler is for the parts that lie above the link, as they have tooltips of their own.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <li onClick={open} className={rowClass}>
      {children}
      <div className="min-w-0">
        <Link to={paths.host(host.id)} data-row dir="auto" className={linkClass}>
          {host.name}
        </Link>
        <p className="truncate text-sm text-muted">
          {host.product ? <span className="mr-2">{host.product.name[locale]}</span> : null}
          {isProgram(host) ? null : (
            <span className="font-mono">{addressText(host) || m.hosts_no_ipv4()}</span>
          )}
        </p>
      </div>
      <div className="relative col-start-2 row-start-1 -mr-2 @xl:-col-start-2">
        <RowMenu host={host} onAct={onAct} />
      </div>
      <div className="col-span-2 flex flex-wrap items-baseline gap-x-5 gap-y-1 @xl:contents">
        {isProgram(host) ? null : (
          <div className="relative @xl:col-start-2 @xl:row-start-1">
            <span className="sr-only">{m.hosts_connection()}: </span>
            <ConnectionStatus host={host} />
          </div>
        )}
        <div className="relative flex flex-wrap items-baseline gap-x-2 @xl:col-start-3 @xl:row-start-1 @xl:block">
          <span className="sr-only">{m.hosts_licence()}: </span>
          <LicenceStatus licence={host.licence} />
          <Remaining host={host} />
        </div>
        <div className="hidden min-w-0 text-sm @4xl:col-start-4 @4xl:row-start-1 @4xl:block">
          <PlanOf host={host} />
        </div>
      </div>
    </li>
  )
}

/** The columns of a row, and of the header line above the list. */
export const columnsClass =
  'gap-x-4 @xl:pr-5 @xl:pl-12 ' +
  '@xl:grid-cols-[minmax(0,1.4fr)_11rem_minmax(0,1fr)_2.25rem] ' +
  '@4xl:grid-cols-[minmax(0,1.4fr)_11rem_minmax(0,1fr)_minmax(0,1.2fr)_2.25rem]'

const rowClass =
  'relative grid cursor-pointer grid-cols-[minmax(0,1fr)_auto] gap-y-2 px-4 py-3 transition-colors ' +
  `duration-150 hover:bg-sunken @xl:items-center ${columnsClass}`

const linkClass =
  'block truncate text-left font-medium after:absolute after:inset-0 after:-outline-offset-2 focus-visible:outline-none ' +
  'focus-visible:after:outline-2 focus-visible:after:outline-accent-text'

function Remaining({ host }: { host: Host }) {
  const text = timeLeft(host.licence)
  return text === undefined ? null : <p className="text-sm text-muted @xl:mt-0.5">{text}</p>
}

function PlanOf({ host: { licence } }: { host: Host }) {
  const locale = useLocale()
  const { plan, price, term } = licence
  if (!plan || !term)
    return (
      <span aria-hidden="true" className="text-muted">
        –
      </span>
    )
  return (
    <>
      <p className="truncate">{plan.name[locale]}</p>
      <p className="truncate text-muted">
        {price ? m.hosts_price_for({ price: formatMoney(price), term: formatTerm(term) }) : formatTerm(term)}
      </p>
    </>
  )
}

function RowMenu({ host, onAct }: Props) {
  const go = useGo()
  const address = host.ipv4 ?? host.ipv6
  const renew = host.licence.status === 'free' ? m.hosts_order_licence() : m.hosts_renew()
  return (
    <Menu
      label={m.hosts_actions({ name: host.name })}
      trigger={<Ellipsis size={18} aria-hidden="true" />}
      triggerClass={iconButtonClass}
      align="end"
    >
      {/* The licence card on the host's page opens the renewal. */}
      <MenuItem onSelect={() => void go(paths.host(host.id, { act: 'renew' }))}>{renew}</MenuItem>
      <MenuItem onSelect={() => onAct('rename', host)}>{m.hosts_rename()}</MenuItem>
      {address === null ? null : (
        <MenuItem onSelect={() => void copy(address)}>{m.hosts_copy_ipv4()}</MenuItem>
      )}
      <MenuItem tone="danger" onSelect={() => onAct('delete', host)}>
        {isProgram(host) ? m.hosts_delete_licence() : m.hosts_delete()}
      </MenuItem>
    </Menu>
  )
}

async function copy(address: string): Promise<void> {
  if (await copyText(address)) toastSuccess(() => m.hosts_copied({ text: address }))
  else toastError(() => m.error_unknown())
}
