import { Suspense } from 'react'
import { paths } from '#features/paths.ts'
import type { LazyComponent } from '#foundation/web/lazy-page.tsx'
import { searchOf, useQueryValue } from '#foundation/web/navigation.tsx'
import type { PageRoute } from '#foundation/web/pages.ts'

// Row R-07: without a session there is the sign-in page and no other. The pages of mails to people who cannot sign in are views of it; with a
// session they are pages of their own. Either address leads to the other.

type Page = Pick<PageRoute, 'authView' | 'path'>

/** The sign-in page that shows the pages of mails as its views. */
export function withViews(signIn: LazyComponent, views: ReadonlyMap<string, LazyComponent>): LazyComponent {
  function SignInOrView() {
    const Shown = views.get(useQueryValue('view') ?? '') ?? signIn
    return (
      <Suspense fallback={null}>
        <Shown />
      </Suspense>
    )
  }
  return Object.assign(SignInOrView, { preload: signIn.preload, isLoaded: signIn.isLoaded })
}

/** The address at which whoever is not signed in sees this page; undefined if there is none. */
export function asView(pages: readonly Page[], pathname: string, query: string): string | undefined {
  const { authView: view } = pages.find(({ path }) => path === pathname.replace(/\/$/u, '')) ?? {}
  const key = searchOf(query)['key']
  return view === undefined || key === undefined ? undefined : paths.signIn({ view, key })
}

/** The address at which whoever is signed in sees the view that this query names; undefined if it names none. */
export function asPage(pages: readonly Page[], query: string): string | undefined {
  const { view, key } = searchOf(query)
  const page = pages.find(({ authView }) => authView !== undefined && authView === view)
  return page && key !== undefined ? `${page.path}?${new URLSearchParams({ key }).toString()}` : undefined
}
