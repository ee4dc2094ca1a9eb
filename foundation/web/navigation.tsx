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

/** A link inside the product. The page's code is fetched when the pointer or the focus comes near. */
export function Link({ to, ...rest }: LinkProps) {
  const [path = to, query] = to.split('?')
  return <RouterLink to={path} search={searchFor(query)} preload="intent" activeProps={CURRENT} {...rest} />
}

/** The way home, on the mark: it leads to the first page without being its place in the navigation, so it is never current. */
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
 * `const go = useGo(); void go('/servers/')`; with `replace` no entry in the history is made, and with `resetScroll: false`
 * the page stays where it is: for a filter that is kept in the address.
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

/** A value of the address's query, as text. */
export function useQueryValue(name: string): string | undefined {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const value = search[name]
  return typeof value === 'string' ? value : undefined
}

/** A part of the address's path, `usePathValue('hostId')`; '' on a page without it. */
export function usePathValue(name: string): string {
  const values: Record<string, unknown> = useParams({ strict: false })
  const value = values[name]
  return typeof value === 'string' ? value : ''
}

/** Queries are plain text here: the router's own JSON reading would make a number of a key that is all digits. */
export function searchOf(query: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(query))
}

// The router's types know only routes spelled out in code; ours come from a list.
function searchFor(query?: string): never
function searchFor(query = ''): object {
  return searchOf(query)
}

// The starting point leads on to a page with an address of its own.
const EXACT = { exact: true }
const CURRENT = { 'aria-current': 'page' } as const
