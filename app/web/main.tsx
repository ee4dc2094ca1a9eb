import { RouterProvider } from '@tanstack/react-router'
import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { whenIdle } from '#foundation/web/when-idle.ts'
import { raceWithTimeout } from '#foundation/web/api/prefetch.ts'
import { registerSlots } from '#foundation/web/slots.tsx'
import { applyTheme } from '#foundation/web/theme/theme.ts'
import { slots } from './features.ts'
import { createPageRouter } from './router.tsx'
import { followSession } from './session.ts'
import './styles.css'

applyTheme()
registerSlots(slots)
const router = createPageRouter()
followSession(router)

const root = document.querySelector('#root')
if (root) {
  // The page's code is on its way already (first.js): React starts when it is there, and renders once.
  const loading = router.load().catch(() => {})
  void raceWithTimeout(loading, 300).then(() =>
    // In slices, between which a slow phone can do what else comes.
    startTransition(() =>
      createRoot(root).render(
        <StrictMode>
          <RouterProvider router={router} />
        </StrictMode>,
      ),
    ),
  )
  whenIdle(() => {
    // Without it the page does what it can do.
    void import('#foundation/web/keep-focus.ts').then(({ keepFocus }) => keepFocus()).catch(() => {})
  })
}
