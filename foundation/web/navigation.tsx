import { Link as RouterLink, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import type { ButtonVariant } from './ui/button.tsx'
import { buttonClass } from './ui/button.tsx'

type LinkProps = Omit<ComponentProps<'a'>, 'href' | 'target'> & {
  /** A path below the base, `/settings/security`, with `?query` where needed. */
  to: string
  replace?: boolean
  resetScroll?: boolean
  children: ReactNode
}

/** A link inside the product. The code of its page is fetched when the pointer or the focus reaches the link. */
export function Link({ to, ...rest }: LinkProps) {
  const [path = to, query] = to.split('?')
  return <RouterLink to={path} search={searchFor(query)} preload="intent" activeProps={CURRENT} {...rest} />
}

/** The link of the mark to the first page. It is not an item of the navigation, so it is never marked as the current page. */
export const HomeLink = (props: Omit<LinkProps, 'to'>) => (
  <RouterLink to="/" preload="intent" activeOptions={EXACT} {...props} />
)

/** A link that looks like a button. */
export function ButtonLink({
  look = 'secondary',
  size = 'normal',
  wide,
  ...rest
}: LinkProps & { look?: ButtonVariant; size?: 'small' | 'normal'; wide?: boolean }) {
  return <Link {...rest} className={buttonClass(look, size, wide)} />
}

/** A link in running text. */
export function TextLink(props: Omit<LinkProps, 'className'>) {
  return (
    <Link {...props} className="rounded-sm font-medium text-accent-text underline-offset-4 hover:underline" />
  )
}

/**
 * Returns a function that opens a page: `const go = useGo(); void go('/servers/')`. With `replace` it makes no entry in the history.
 * With `resetScroll: false` the page stays where it is scrolled to, as for a filter that is kept in the address.
 */
export function useGo(): (
  to: string,
  options?: { replace?: boolean; resetScroll?: boolean },
) => Promise<void> {
  const navigate = useNavigate()
  return (to, options) => {
    const [path = to, query] = to.split('?')
    return navigate({ to: path, search: searchFor(query), ...options })
  }
}

/** Returns a value of the address's query as text; undefined if the query has none. */
export function useQueryValue(name: string): string | undefined {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const value = search[name]
  return typeof value === 'string' ? value : undefined
}

/** Returns a part of the address's path: `usePathValue('hostId')`; '' on a page whose path has no such part. */
export function usePathValue(name: string): string {
  const values: Record<string, unknown> = useParams({ strict: false })
  const value = values[name]
  return typeof value === 'string' ? value : ''
}

/** Reads a query as plain texts: the router's own JSON parser would make a number of a key that is all digits. */
export function searchOf(query: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(query))
}

// The router's types know only routes that are written out in code. Ours come from a list, so the query is cast.
function searchFor(query?: string): never
function searchFor(query = ''): object {
  return searchOf(query)
}

// The path `/` redirects to another page, so an exact link to it is never the current one.
const EXACT = { exact: true }
const CURRENT = { 'aria-current': 'page' } as const
