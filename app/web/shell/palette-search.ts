import { addressText } from '#features/hosts/rules.ts'
import { paths } from '#features/paths.ts'
import { listStaffTickets } from '#features/support/desk/contract.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { listHosts } from '#features/hosts/contract.ts'
import { listInvoices } from '#features/invoices/contract.ts'
import { listTickets, type Ticket } from '#features/support/tickets/contract.ts'
import { useMayWork } from '#features/team/web/team.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { formatDay } from '#foundation/web/i18n/format.ts'
import { isLonger } from '#foundation/web/i18n/length-text.ts'
import { m } from '#texts/messages.js'
import type { Entry } from './palette-entry.ts'
import { finds } from '#foundation/search-text.ts'

type Found = { groups: { text: string; entries: Entry[] }[]; searching: boolean }

/** Returns the servers, tickets and invoices that match the text. They are requested a moment after the last key, unless it is empty. */
export function useFound(typed: string, isStaff: boolean): Found {
  const mayWork = useMayWork(isStaff)
  // A longer text is not sent: no name is so long, and the server would refuse the search.
  const asked = isLonger(typed, LONGEST) ? '' : typed
  const q = useSettled(asked)
  const asking = { enabled: q !== '', placeholderData: keepPreviousData }
  const hosts = useQuery({ ...queryFor(listHosts, { query: { q, limit: MOST, sort: 'name' } }), ...asking })
  const desk = useQuery({
    ...queryFor(listStaffTickets, { query: { q, limit: MOST } }),
    ...asking,
    enabled: mayWork && q !== '',
  })
  // A customer has few tickets and invoices, so the latest 100 of each are loaded and searched here.
  const own = useQuery({ ...queryFor(listTickets, { query: { limit: '100' } }), ...asking })
  const invoices = useQuery({ ...queryFor(listInvoices, { query: { limit: '100' } }), ...asking })
  const searching = asked !== q || [hosts, desk, own, invoices].some(({ isFetching }) => isFetching)
  if (q === '' || asked === '') return { groups: [], searching: false }
  const holds = (text: string) => finds(asked, text)
  // An entry that was found for the text of before stays only if it holds the present one too: Enter opens the first.
  const stays = ({ isPlaceholderData }: { isPlaceholderData: boolean }, text: string) =>
    (asked === q && !isPlaceholderData) || holds(text)
  return {
    searching,
    groups: [
      {
        text: m.shell_palette_desk(),
        entries: (desk.data?.items ?? [])
          .filter(({ subject, number }) => stays(desk, `${subject} #${number}`))
          .map((ticket) => ticketEntry(ticket, paths.deskTicket)),
      },
      {
        text: m.shell_servers(),
        entries: (hosts.data?.items ?? [])
          .filter(({ name, ...host }) => stays(hosts, `${name} ${addressText(host)}`))
          .map(({ id, name, ...host }) => ({
            id: `host-${id}`,
            text: name,
            icon: 'server' as const,
            ...(addressText(host) ? { detail: addressText(host) } : {}),
            to: paths.host(id),
          })),
      },
      {
        text: m.shell_palette_tickets(),
        entries: (own.data?.items ?? [])
          .filter(({ subject, number }) => holds(`${subject} #${number}`))
          .slice(0, Number(MOST))
          .map((ticket) => ticketEntry(ticket, paths.ticket)),
      },
      {
        text: m.shell_palette_invoices(),
        entries: (invoices.data?.items ?? [])
          .filter(({ number }) => holds(number))
          .slice(0, Number(MOST))
          .map(({ id, number, issued_on }) => ({
            id: `invoice-${id}`,
            text: number,
            icon: 'invoice' as const,
            detail: formatDay(issued_on),
            to: paths.invoice(id),
          })),
      },
    ],
  }
}

const MOST = '5'
export const LONGEST = 100
const PAUSE_ms = 150

const ticketEntry = ({ id, number, subject }: Ticket, page: (id: string) => string): Entry => ({
  id: page(id),
  text: subject,
  icon: 'ticket',
  detail: `#${number}`,
  to: page(id),
})

/** Returns the text as it was a moment (`PAUSE_ms`) after the last key. */
function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), PAUSE_ms)
    return () => clearTimeout(timer)
  }, [typed])
  return settled
}
