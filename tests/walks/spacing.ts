import type { Page } from '@playwright/test'

/** Sets the text spacing of WCAG 1.4.12, and returns the texts that are cut or lie over each other only then. */
export const faultsOfSpacing = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const top = window.walk.top()
    const shownIn = (element: Element) => {
      const { width, height } = element.getBoundingClientRect()
      return (
        width > 1 &&
        height > 1 &&
        element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
      )
    }
    /** True if the element, or what it stands in, has such a style. */
    const isWithin = (element: Element, is: (style: CSSStyleDeclaration) => boolean) => {
      for (let around: Element | null = element; around && around !== top; around = around.parentElement)
        if (is(getComputedStyle(around))) return true
      return false
    }
    /** True for what only a reader of the screen gets, as by the class sr-only. */
    const isForReaders = (element: Element) => isWithin(element, ({ clipPath }) => clipPath === 'inset(50%)')
    const texts = () =>
      [...top.querySelectorAll('*')].filter(
        (element) =>
          !element.matches('option, script, style, textarea, canvas, svg *') &&
          !isForReaders(element) &&
          [...element.childNodes].some(({ nodeType, nodeValue }) => nodeType === 3 && nodeValue?.trim()) &&
          shownIn(element),
      )
    const boxesOf = (element: Element) =>
      [...element.childNodes].flatMap((node) => {
        if (node.nodeType !== 3 || !node.nodeValue?.trim()) return []
        const range = document.createRange()
        range.selectNodeContents(node)
        return [...range.getClientRects()].filter(({ width }) => width > 1)
      })
    const cutterOf = (element: Element): Element | undefined => {
      for (let around: Element | null = element; around && around !== top; around = around.parentElement) {
        const { overflowX, overflowY, position } = getComputedStyle(around)
        // Spaces at the end of a line hang over its edge where they are kept.
        const hanging = getComputedStyle(element).whiteSpace.startsWith('pre') ? 12 : 2
        const hides = (overflow: string) => overflow === 'hidden' || overflow === 'clip'
        // The whole of what ends in an ellipsis is a press away, on the page that it leads to.
        if (getComputedStyle(around).textOverflow === 'ellipsis') return undefined
        const frame = around.getBoundingClientRect()
        const goesOut = boxesOf(element).some(
          ({ left, right, top: upper, bottom }) =>
            (hides(overflowX) && (right > frame.right + hanging || left < frame.left - 2)) ||
            (hides(overflowY) && (bottom > frame.bottom + 4 || upper < frame.top - 4)),
        )
        if (goesOut) return around
        // A part that scrolls shows the rest, and a fixed one is cut by the window alone.
        if (/auto|scroll/u.test(overflowX + overflowY) || position === 'fixed') return undefined
      }
      return undefined
    }
    const isCut = (element: Element) => cutterOf(element) !== undefined
    const isApart = (element: Element) =>
      isWithin(element, ({ position }) => ['sticky', 'fixed'].includes(position))
    /** The part of a box that nothing around it hides. */
    const shownPart = (element: Element, { left, right, top: upper, bottom }: DOMRect) => {
      const part = { left, right, top: upper, bottom }
      for (let around: Element | null = element; around && around !== top; around = around.parentElement) {
        if (getComputedStyle(around).overflow === 'visible') continue
        const frame = around.getBoundingClientRect()
        part.left = Math.max(part.left, frame.left)
        part.right = Math.min(part.right, frame.right)
        part.top = Math.max(part.top, frame.top)
        part.bottom = Math.min(part.bottom, frame.bottom)
      }
      return part
    }
    const overlaps = () => {
      const boxes = texts()
        .filter((element) => !isApart(element))
        .flatMap((element) =>
          boxesOf(element).map((box) => ({ element, box: shownPart(element, box), height: box.height })),
        )
      const found = new Set<string>()
      for (const [at, one] of boxes.entries())
        for (const other of boxes.slice(at + 1)) {
          const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left)
          const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top)
          const isOther =
            one.element !== other.element &&
            !one.element.contains(other.element) &&
            !other.element.contains(one.element)
          // Boxes of lines are higher than their letters.
          const height = Math.min(one.height, other.height)
          if (isOther && across > 3 && down > height / 2)
            found.add(`${one.element.textContent.trim()} | ${other.element.textContent.trim()}`)
        }
      return found
    }
    const cuts = () => new Set(texts().filter(isCut))
    const paint = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const before = { cuts: cuts(), overlaps: overlaps() }
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(
      '*, ::before, ::after { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }',
    )
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    await paint()
    const describe = (element: Element) => {
      const nameOf = (one?: Element) =>
        `<${one?.localName} class="${one?.getAttribute('class')?.slice(0, 60)}">`
      const by = cutterOf(element)
      return `${nameOf(element)} by ${by ? nameOf(by) : 'nothing now'}: ${element.textContent.trim().slice(0, 50)}`
    }
    const cut = [...cuts()]
      .filter((element) => !before.cuts.has(element))
      .map((element) => `cut: ${describe(element)}`)
    const over = [...overlaps()]
      .filter((pair) => !before.overlaps.has(pair))
      .map((pair) => `over each other: ${pair.slice(0, 120)}`)
    const { scrollWidth } = document.documentElement
    const wide = scrollWidth > innerWidth ? [`scrolls sideways: ${scrollWidth}`] : []
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
    await paint()
    return [...cut, ...over, ...wide]
  })

/** Returns what goes beyond the window (WCAG 1.4.10). */
export const faultsOfReflow = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const paint = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    // A menu that stays open keeps the side that it opened to.
    const menus = [...document.querySelectorAll<HTMLElement>(':popover-open')]
    for (const menu of menus) menu.hidePopover()
    await paint()
    for (const menu of menus) menu.showPopover()
    await paint()
    const { scrollWidth } = document.documentElement
    const found = scrollWidth > innerWidth ? [`scrolls sideways: ${scrollWidth} px of ${innerWidth}`] : []
    for (const element of document.querySelectorAll('dialog:modal, :popover-open')) {
      const { left, right } = element.getBoundingClientRect()
      const name = element.querySelector('h2')?.textContent ?? element.textContent.slice(0, 30)
      if (left < 0 || right > innerWidth + 0.5) found.push(`beyond the window: ${name} ${left}–${right}`)
      if (element.scrollWidth > element.clientWidth + 1)
        found.push(`${name} scrolls sideways: ${element.scrollWidth} of ${element.clientWidth}`)
    }
    return found
  })
