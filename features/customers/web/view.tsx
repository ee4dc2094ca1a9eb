import { createRoot } from 'react-dom/client'
import { onSignedInChange } from '#foundation/web/api/stored-session.ts'
import { VIEWING } from '#foundation/web/viewing.ts'
import { leaveView, storedView } from './stored-view.ts'
import { ViewFrame } from './view-frame.tsx'
import { endView } from '#features/customers/contract.ts'

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

const HEADER = 'X-View-As'

/** The member's own calls: to renew their tokens, and to end the view. */
const OWN = ['/api/allauth/app/v1/tokens/refresh', endView.path.replace('{id}/', '')]

/**
 * Makes all requests of this tab name the view. It replaces the browser's own functions instead of changing each call, so that customers
 * load no code for it, and no call that is added later is sent as a call of the member.
 */
function sendAsView(id: string): void {
  const { fetch } = window
  window.fetch = (input, init) => {
    const url = input instanceof Request ? input.url : input.toString()
    if (OWN.some((path) => url.startsWith(path))) return fetch(input, init)
    const headers = new Headers(init?.headers)
    headers.set(HEADER, id)
    return fetch(input, { ...init, headers })
  }
  const { send } = XMLHttpRequest.prototype
  XMLHttpRequest.prototype.send = function sendNamed(this: XMLHttpRequest, body) {
    this.setRequestHeader(HEADER, id)
    send.call(this, body)
  }
}
