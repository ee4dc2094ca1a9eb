import { useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { paths } from '#features/paths.ts'
import { actedFor, actFor } from '#foundation/web/acting.ts'

/** The pages that show another account to its helpers, as prefixes of paths. All other pages show the helper's own account. */
const all = [paths.servers(), paths.tickets()]
const withMoney = [...all, paths.finances(), paths.invoices()]
const PAGES = { technical: all, billing: withMoney, full: withMoney, read: withMoney } as const

// The paths of these pages begin like those of `all`, but the pages show the helper's own account.
const OWN = [paths.sharedHosts(''), paths.paidFor()]

/** True for a page that shows the account that this tab acts for; true for all pages if the tab acts for no other account. */
export function isOfAccount(path: string): boolean {
  const account = actedFor()
  if (!account) return true
  return (
    PAGES[account.role].some((start) => path.startsWith(start)) &&
    !OWN.some((start) => path.startsWith(start))
  )
}

/** Ends the acting when a page of the helper's own account, such as the settings, is opened. */
export function useOwnPages(): void {
  const path = useRouterState({ select: ({ location }) => location.pathname + location.searchStr })
  useEffect(() => {
    if (!isOfAccount(path)) actFor(undefined, path)
  }, [path])
}
