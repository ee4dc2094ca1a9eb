import type { Page } from '@playwright/test'

type Step = { at: number; shows: boolean; text: string }

/**
 * Goes through the page, or the dialog above it, by Tab, once around. Returns elements that Tab does not reach or that do not show the focus,
 * and things that react to the pointer alone.
 */
export async function faultsOfKeys(page: Page): Promise<string[]> {
  const { count, pointed } = await page.evaluate(numberStops)
  const reached = new Map<number, Step>()
  for (let press = 0; press < count + 6; press += 1) {
    await page.keyboard.press('Tab')
    const step = await page.evaluate(readStep)
    if (step.at >= 0) reached.set(step.at, step)
  }
  const missing = await page.evaluate(
    (found) =>
      (window.stops ?? [])
        .filter((stop, at) => !found.includes(at) && stop.isConnected && stop.checkVisibility())
        .map(
          (stop) =>
            `Tab does not reach: <${stop.localName}> ${(stop.getAttribute('aria-label') ?? stop.innerText).slice(0, 40)}`,
        ),
    [...reached.keys()],
  )
  const silent = [...reached.values()].filter(({ shows }) => !shows)
  return [...missing, ...silent.map(({ text }) => `does not show the focus: ${text}`), ...pointed]
}

declare global {
  interface Window {
    stops?: HTMLElement[]
  }
}

/** Runs in the page. */
function numberStops(): { count: number; pointed: string[] } {
  const top = window.walk.top()
  const isSeen = (element: Element) => element.checkVisibility({ visibilityProperty: true })
  const groups = new Set<string>()
  window.stops = [
    ...top.querySelectorAll<HTMLElement>(
      'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]',
    ),
  ].filter((element) => {
    if (!isSeen(element) || element.tabIndex < 0 || element.closest('[inert]')) return false
    if (element.matches(':disabled')) return false
    if (!element.matches('[type=radio]')) return true
    // Tab stops once at a group of radio buttons: at the chosen one, or else at any.
    const group = element.getAttribute('name') ?? ''
    const chosen = top.querySelector(`[type=radio][name="${CSS.escape(group)}"]:checked`)
    if (groups.has(group) || (chosen && chosen !== element)) return false
    groups.add(group)
    return true
  })
  const pointed = [...top.querySelectorAll<HTMLElement>('*')]
    .filter(
      (element) =>
        isSeen(element) &&
        getComputedStyle(element).cursor === 'pointer' &&
        element.closest(':is(li, tr):has(a, button)') === null &&
        element.closest(
          'a, button, label, summary, input, select, [role^=menuitem], [role=option], [tabindex="0"]',
        ) === null,
    )
    .map((element) => `for the pointer alone: <${element.localName}> ${element.textContent.slice(0, 40)}`)
  if (document.activeElement instanceof HTMLElement && top === document.body) document.activeElement.blur()
  // A field for a day or a time has several stops.
  const times = top.querySelectorAll('[type=date], [type=datetime-local], [type=time], [type=month]').length
  return { count: window.stops.length + 7 * times, pointed: [...new Set(pointed)] }
}

/** Runs in the page. */
function readStep(): Step {
  const element = document.activeElement
  if (!(element instanceof HTMLElement) || element === document.body) return { at: -1, shows: true, text: '' }
  const rings = (one: Element) =>
    [undefined, '::before', '::after'].some((pseudo) => {
      const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(one, pseudo)
      return (
        outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1 && outlineColor !== 'rgba(0, 0, 0, 0)'
      )
    })
  // A field shows its caret.
  let shows = element.matches('textarea, input:not([type=checkbox], [type=radio], [type=file])')
  for (let one: Element | null = element; one && one !== document.body; one = one.parentElement)
    shows ||= rings(one)
  for (const one of [
    ...('labels' in element ? ((element as HTMLInputElement).labels ?? []) : []),
    element.nextElementSibling,
  ])
    if (one) shows ||= rings(one)
  const text = `<${element.localName}> ${(element.getAttribute('aria-label') ?? element.innerText).slice(0, 40)}`
  return { at: window.stops?.indexOf(element) ?? -1, shows, text }
}
