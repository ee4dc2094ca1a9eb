import { useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { paths } from '#features/paths.ts'
import { actedFor, actFor } from '#foundation/web/acting.ts'

/** The pages that show another account to its helpers, by the beginning of their address. All others are one's own. */
const all = [paths.servers(), paths.tickets()]
const withMoney = [...all, paths.finances(), paths.invoices()]
const PAGES = { technical: all, billing: withMoney, full: withMoney } as const

// These pages are below the addresses of `all`, and one's own all the same.
const OWN = [paths.sharedHosts(''), paths.paidFor()]

/** True for a page that shows the account that this tab acts for; where it does not act, for all. */
export function isOfAccount(path: string): boolean {
  const account = actedFor()
  if (!account) return true
  return (
    PAGES[account.role].some((start) => path.startsWith(start)) &&
    !OWN.some((start) => path.startsWith(start))
  )
}

/** A page of one's own, as the settings are, ends the acting. */
export function useOwnPages(): void {
  const path = useRouterState({ select: ({ location }) => location.pathname + location.searchStr })
  useEffect(() => {
    if (!isOfAccount(path)) actFor(undefined, path)
  }, [path])
}
