import { createRoot } from 'react-dom/client'
import { onSignedInChange } from '#foundation/web/api/stored-session.ts'
import { VIEWING } from '#foundation/web/viewing.ts'
import { leaveView, storedView } from './stored-view.ts'
import { ViewFrame } from './view-frame.tsx'
import { sendAsView } from './view-requests.ts'

/** Starts the pages of a tab that shows an account as its customer sees it, in a frame around every page. */
export function showView(start: () => void): void {
  const view = storedView()
  if (!view) return leaveView()
  sendAsView(view.id)
  // The view ends with the session: it must not go on for the person who signs in next.
  onSignedInChange(() => {
    sessionStorage.removeItem(VIEWING)
    window.location.reload()
  })
  const place = document.createElement('div')
  document.body.prepend(place)
  createRoot(place).render(<ViewFrame view={view} />)
  start()
}
