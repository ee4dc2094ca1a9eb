import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
} from '@tanstack/react-router'
import { RouterProvider } from '@tanstack/react-router'
import { queryClient } from '#foundation/web/api/query.ts'
import { seeSession, storeAnswer } from '#foundation/web/api/stored-session.ts'
import { setLocale } from '#foundation/web/i18n/locale.ts'
import { lazyPage } from '#foundation/web/lazy-page.tsx'
import { searchOf } from '#foundation/web/navigation.tsx'
import type { PageRoute, StaffPageRoute } from '#foundation/web/pages.ts'
import { ToastList } from '#foundation/web/toasts/toast-list.tsx'
import { clearToasts, currentToasts, toastText } from '#foundation/web/toasts/toasts.ts'
import { render } from '#tests/web/render.tsx'
import { requests, resetWire } from '#tests/web/wire.ts'

/** Prepares a test: signs a person in, sets the language to English, and clears the cache and the scripted replies. */
export async function startAnew(): Promise<void> {
  clearToasts()
  queryClient.clear()
  setLocale('en')
  await resetWire()
  storeAnswer(seeSession(), { user: { id: '0', display: 'Anna' } })
  storeAnswer(seeSession(), {
    tokens: { access: `x.${btoa(JSON.stringify({ exp: 9_999_999_999 }))}.x`, refresh: 'x' },
  })
}

/** Opens a page of a feature at its address, without the shell. `address()` returns the present address; `history` navigates. */
export async function openAt(path: string, pages: readonly (PageRoute | StaffPageRoute)[]) {
  const history = createMemoryHistory({ initialEntries: [path] })
  const router = createRouter({
    routeTree: treeOf(pages),
    history,
    parseSearch: searchOf,
    stringifySearch: (search) => {
      const query = new URLSearchParams(search as Record<string, string>).toString()
      return query === '' ? '' : `?${query}`
    },
  })
  await render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <ToastList />
    </QueryClientProvider>,
  )
  return { address: () => history.location.href, history }
}

function treeOf(pages: readonly (PageRoute | StaffPageRoute)[]) {
  const root = createRootRoute({ component: Outlet })
  const elsewhere = createRoute({ getParentRoute: () => root, path: '$', component: () => 'elsewhere' })
  const routes = pages.map(({ path, page }) => {
    const component = lazyPage(page)
    return createRoute({ getParentRoute: () => root, path, component, loader: () => component.preload() })
  })
  return root.addChildren([...routes, elsewhere])
}

export const sent = async (method: string, path: string) =>
  (await requests()).filter((request) => request.method === method && request.path.split('?')[0] === path)

export const lastToast = () => {
  const shown = currentToasts().at(-1)
  return shown ? toastText(shown.message) : undefined
}

export const euros = (amount: string) => ({ amount, currency: 'EUR' })

export const refused = (status: number, code: string, param?: string) => ({
  status,
  body: { status, errors: [{ code, message: '', ...(param ? { param } : {}) }] },
})
