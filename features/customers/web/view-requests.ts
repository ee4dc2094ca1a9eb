import { endView } from '#features/customers/contract.ts'

const HEADER = 'X-View-As'

/** The member's own calls: to renew their tokens, and to end the view. */
const OWN = ['/api/allauth/app/v1/tokens/refresh', endView.path.replace('{id}/', '')]

/**
 * Makes all requests of this tab name the view. It replaces the browser's own functions instead of changing each call, so that customers
 * load no code for it, and no call that is added later is sent as a call of the member.
 */
export function sendAsView(id: string): void {
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
