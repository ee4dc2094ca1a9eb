import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { applyTheme } from '#foundation/web/theme/theme.ts'
import { createPageRouter } from './router.tsx'
import { followSession } from './session.ts'
import './styles.css'

applyTheme()
const router = createPageRouter()
followSession(router)

const root = document.querySelector('#root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  )
}
