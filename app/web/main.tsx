import { RouterProvider } from '@tanstack/react-router'
import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { tolerateForeignNodes } from '#foundation/web/foreign-nodes.ts'
import { registerSlots } from '#foundation/web/slots.tsx'
import { isViewing } from '#foundation/web/viewing.ts'
import { applyTheme } from '#foundation/web/theme/theme.ts'
import { slots } from './features.ts'
import { loadFirstPage, raceWithTimeout } from './first-page.ts'
import { createPageRouter } from './router.tsx'
import { frameData } from './shell/frame.tsx'
import { followSession } from './session.ts'
import './styles.css'

tolerateForeignNodes()
applyTheme()
registerSlots(slots)
// A slow phone can draw and react to the user between this script, which has just run, and `begin`, which takes as long.
setTimeout(begin)

function begin(): void {
  const router = createPageRouter()
  followSession(router)
  if (isViewing()) import('./other-account.ts').then(({ showOther }) => showOther(() => start(router)), tell)
  else start(router)
}

/** Shows the words of the document for a product that does not start (first-frame.css), also where React has given up a page. */
function tell(): void {
  document.querySelector('#root')?.replaceChildren(...(words ? [words] : []))
  document.documentElement.dataset['noStart'] = ''
}
const words = document.querySelector('#no-start')?.cloneNode(true)

function start(router: ReturnType<typeof createPageRouter>): void {
  const root = document.querySelector('#root')
  if (root) {
    // The mark of the document stays until the code of the page is there, so that React renders only once.
    const loading = loadFirstPage(() => Promise.all([router.load(), frameData()]))
    void raceWithTimeout(loading, PATIENCE_ms).then(() =>
      // A transition renders the page in slices, between which a slow phone can react to the user.
      startTransition(() =>
        createRoot(root, { onUncaughtError: giveUp }).render(
          <StrictMode>
            <RouterProvider router={router} />
          </StrictMode>,
        ),
      ),
    )
  }
}

const PATIENCE_ms = 3000

/** React removes everything where even the error page throws: words take the place of a white page. */
function giveUp(error: unknown): void {
  reportError(error)
  tell()
}
