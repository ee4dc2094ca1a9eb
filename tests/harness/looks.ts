import type { Page } from '@playwright/test'

export type Theme = 'light' | 'dark'

declare global {
  interface Window {
    /** The elements whose looks are new; they are judged one by one. */
    newLooks?: Element[]
    /** Numbers of elements, by which a structure names them. */
    numbers?: WeakMap<Element, number>
  }
}

/**
 * Puts into `window.newLooks` the visible elements with text, and the fields, whose looks are not `known`, one of each look, and returns these
 * looks. Looks are all styles that decide about a contrast: those of the element and of each element around it, so equal looks have equal
 * contrast on any page. Text whose ground is another element, which lies behind it, is always new: its contrast depends on its place.
 */
export function findNewLooks(page: Page, known: ReadonlySet<string>): Promise<string[]> {
  return page.evaluate(
    (judged) => {
      const stylesOf = (element: Element, style: CSSStyleDeclaration): string => {
        const size_px = Number.parseFloat(style.fontSize)
        const { right, bottom, width, height } = element.getBoundingClientRect()
        return [
          style.backgroundColor,
          style.backgroundImage,
          style.color,
          style.opacity,
          style.clipPath,
          style.textDecorationLine,
          element.localName,
          size_px >= 24 || (size_px >= 18.66 && Number(style.fontWeight) >= 700),
          right > 0 && bottom + scrollY > 0 && width > 1 && height > 1,
          element.matches(':disabled, [aria-disabled=true]'),
          // An element behind a dialog is judged when it is in front.
          modal?.contains(element) === false,
        ].join()
      }
      const hasText = (element: Element) =>
        element.matches('input:not([type=checkbox], [type=radio]), select, textarea') ||
        [...element.childNodes].some(
          (node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim() !== '',
        )
      const hashOf = (text: string): string => {
        let [one, other] = [0xdeadbeef, 0x41c6ce57]
        for (let at = 0; at < text.length; at += 1) {
          one = Math.imul(one ^ text.charCodeAt(at), 2_654_435_761)
          other = Math.imul(other ^ text.charCodeAt(at), 1_597_334_677)
        }
        return `${(one >>> 0).toString(36)}.${(other >>> 0).toString(36)}`
      }
      const modal = [...document.querySelectorAll('dialog:modal')].at(-1)
      const isSolid = ({ backgroundColor }: CSSStyleDeclaration) => backgroundColor !== 'rgba(0, 0, 0, 0)'
      const looks = new Map<Element, string>()
      const overOthers = new Set<Element>()
      const grounds: Element[] = []
      for (const element of document.querySelectorAll('body, body *')) {
        if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
        const style = getComputedStyle(element)
        const around = element.parentElement
        looks.set(element, hashOf(`${(around && looks.get(around)) ?? ''}${stylesOf(element, style)}`))
        const isApart = style.position === 'absolute' || style.position === 'fixed'
        if (isApart && isSolid(style)) grounds.push(element)
        const isOver = isApart || (around !== null && overOthers.has(around))
        if (isOver && !isSolid(style)) overOthers.add(element)
      }
      const liesOn = (element: Element) => {
        const own = element.getBoundingClientRect()
        return grounds.some((ground) => {
          const { top, bottom, left, right } = ground.getBoundingClientRect()
          const isTouched = own.top < bottom && own.bottom > top && own.left < right && own.right > left
          return isTouched && ground !== modal && !ground.contains(element) && !element.contains(ground)
        })
      }
      const found = new Set<string>()
      window.newLooks = [...looks].flatMap(([element, own]) => {
        // A text for the ear alone is a pixel large.
        if (!hasText(element) || element.clientWidth === 1) return []
        if (overOthers.has(element) || liesOn(element)) return [element]
        if (judged.includes(own) || found.has(own)) return []
        found.add(own)
        return [element]
      })
      return [...found]
    },
    [...known],
  )
}

/**
 * Returns a name for what axe sees of the page apart from colours and sizes: the document, and which of its elements are visible. Pictures
 * that are hidden from axe do not count, unless one can reach them by key.
 */
export function structureOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const numbers = (window.numbers ??= new WeakMap<Element, number>())
    const seen = [...document.body.querySelectorAll('*')].filter((element, at) => {
      if (!numbers.has(element)) numbers.set(element, at)
      if (element.closest('[aria-hidden=true]') && !element.matches('a, button, input, [tabindex]'))
        return false
      return element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    })
    const html = document.body.outerHTML.replaceAll(/ (?:class|style|data-[\w-]+)="[^"]*"/g, '')
    return `${seen.map((element) => numbers.get(element)).join()} ${html}`
  })
}
