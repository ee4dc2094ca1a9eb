import type { ElementHandle, Page } from '@playwright/test'

/** A thing on the page that may open something: its name, and its number among those of the same name. */
export type Opener = { name: string; number: number; ofFrame: boolean }

/** Returns the openers on the page, or in what lies above it: buttons that neither send a form, nor choose, nor close. */
export const openersOf = (page: Page): Promise<Opener[]> =>
  page.evaluate(() => window.walk.openers().map(({ name, number, ofFrame }) => ({ name, number, ofFrame })))

/** Returns the element of an opener, or null when it is not there any more. */
export async function elementOf(page: Page, { name, number }: Opener): Promise<ElementHandle | null> {
  const found = await page.evaluateHandle(
    (wanted) =>
      window.walk.openers().find((one) => one.name === wanted.name && one.number === wanted.number)?.element,
    { name, number },
  )
  return found.asElement()
}

/** The titles of dialogs, numbers of menus, expanded parts. It changes when something opens or closes. */
export const whatIsOpen = (page: Page): Promise<string> => page.evaluate(() => window.walk.open())

declare global {
  interface Window {
    walk: {
      openers(): (Opener & { element: HTMLElement })[]
      open(): string
      top(): Element
      title(): string
    }
  }
}

/** Puts the functions above into each document. Runs in the page. */
export function addWalk(): void {
  const top = () =>
    [...document.querySelectorAll<HTMLElement>('dialog:modal, :popover-open')].at(-1) ?? document.body
  const nameOf = (element: HTMLElement) =>
    (element.getAttribute('aria-label') ?? element.innerText).replaceAll(/\s+/gu, ' ').trim()
  const passes = (element: HTMLElement) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    !element.matches(
      ':disabled, [aria-disabled=true], [type=submit], [role=switch], [role=tab], [role=option], [role=menuitemradio], [role=menuitemcheckbox], [aria-pressed]',
    ) &&
    element.closest('[inert]') === null
  window.walk = {
    top,
    title: () => top().querySelector('h2')?.innerText.trim() ?? '',
    openers: () => {
      const numbers = new Map<string, number>()
      return [...top().querySelectorAll<HTMLElement>('button, summary, [role=combobox]:not(input)')]
        .filter(passes)
        .map((element) => {
          const name = nameOf(element)
          const number = numbers.get(name) ?? 0
          numbers.set(name, number + 1)
          const ofFrame = element.closest('main, dialog, [popover]') === null
          return { name, number, ofFrame, element }
        })
    },
    open: () => {
      const open = document.querySelectorAll(
        'dialog:modal, :popover-open, [aria-expanded=true], details[open]',
      )
      return `${location.pathname} ${open.length} ${window.walk.title()} ${document.querySelectorAll('form').length}`
    },
  }
}
