import type { Page } from '@playwright/test'

export type Theme = 'light' | 'dark'

declare global {
  interface Window {
    /** The looks (the styles that decide about colours) that were judged already, by theme and element. */
    judgedLooks?: Partial<Record<Theme, Map<Element, Set<string>>>>
    /** The topmost elements with looks that were not judged in this theme yet; they are judged with their descendants. */
    newLooks?: Element[]
  }
}

/** Forgets the judged looks, so that the next check judges the whole page. */
export const forgetLooks = (page: Page): Promise<void> => page.evaluate(() => void delete window.judgedLooks)

/**
 * Puts into `window.newLooks` the visible elements whose looks were not judged in this theme yet, and returns their number. An element with
 * text that lies over others without a background of its own is always new: its looks depend on its place.
 */
export function findNewLooks(page: Page, theme: Theme): Promise<number> {
  return page.evaluate((shown) => {
    const looksOf = (element: Element): string | undefined => {
      const style = getComputedStyle(element)
      const { backgroundColor: ground, backgroundImage: picture, position, color, opacity, clipPath } = style
      const size_px = Number.parseFloat(style.fontSize)
      const isLarge = size_px >= 24 || (size_px >= 18.66 && Number(style.fontWeight) >= 700)
      const hasText = [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim() !== '',
      )
      const isOver = position === 'absolute' || position === 'fixed'
      if (isOver && ground === 'rgba(0, 0, 0, 0)' && element.textContent !== '') return undefined
      const { right, bottom, width, height } = element.getBoundingClientRect()
      const isSeen = right > 0 && bottom + scrollY > 0 && width > 1 && height > 1
      const isOff = element.matches(':disabled, [aria-disabled=true]')
      const line = style.textDecorationLine
      return [
        ground,
        picture,
        position,
        color,
        opacity,
        clipPath,
        line,
        isLarge,
        hasText,
        isSeen,
        isOff,
      ].join()
    }
    const judged = ((window.judgedLooks ??= {})[shown] ??= new Map<Element, Set<string>>())
    const found: Element[] = []
    for (const element of document.body.querySelectorAll('*')) {
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
      const looks = looksOf(element)
      const known = judged.get(element) ?? new Set()
      judged.set(element, known)
      if (looks !== undefined && known.has(looks)) continue
      if (looks !== undefined) known.add(looks)
      if (!found.at(-1)?.contains(element)) found.push(element)
    }
    window.newLooks = found
    return found.length
  }, theme)
}
