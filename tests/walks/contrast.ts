import type { Page } from '@playwright/test'
import sharp from 'sharp'

type Box = { x: number; y: number; width: number; height: number }
type Pair = { name: string; chosen: Box; other: Box; isDrawn: boolean }
type Picture = { data: Buffer; width: number }

const CLEAR = 3
const MOST_STOPS = 12

/** Compares pixels of each chosen, pressed or switched-on thing with those of one beside it that is not. */
export async function faultsOfChosen(page: Page): Promise<string[]> {
  const faults: string[] = []
  for (const { name, chosen, other, isDrawn } of await page.evaluate(pairsOf)) {
    const [one, two] = [await pictureOf(page, chosen), await pictureOf(page, other)]
    const differs = isDrawn
      ? shareThatDiffers(one, two) >= 0.1
      : contrast(commonest(one), commonest(two)) >= CLEAR
    if (!differs) faults.push(`looks like its neighbour, which is not chosen: ${name}`)
  }
  return faults
}

/** Compares pixels of things that Tab reaches with and without the focus. `known` are looks that were compared before. */
export async function faultsOfFocus(page: Page, known: Set<string>): Promise<string[]> {
  const faults: string[] = []
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    await page.keyboard.press('Tab')
    const at = await page.evaluate(placeOfFocus)
    if (!at || known.has(at.look)) continue
    known.add(at.look)
    const focused = await pictureOf(page, at.box)
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    const without = await pictureOf(page, at.box)
    await page.evaluate(() => window.lastFocus?.focus())
    const ring = differing(focused, without)
    if (ring < at.least) faults.push(`shows the focus by ${ring} pixels: ${at.name}`)
  }
  return faults
}

declare global {
  interface Window {
    lastFocus?: HTMLElement
  }
}

/** Runs in the page. */
function pairsOf(): Pair[] {
  const top = window.walk.top()
  const boxOf = (element: Element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return { x, y, width, height }
  }
  const isThere = (element: Element) => {
    const { x, y, width, height } = boxOf(element)
    const isIn = x >= 0 && y >= 0 && x + width <= innerWidth && y + height <= innerHeight
    const over = document.elementFromPoint(x + width / 2, y + height / 2)
    return (
      width > 4 && height > 4 && isIn && over !== null && (element.contains(over) || over.contains(element))
    )
  }
  const kinds: [on: string, off: string, group: string][] = [
    ['[aria-current=page]', 'a:not([aria-current])', 'nav'],
    ['[aria-pressed=true]', '[aria-pressed=false]', '[role=group], [role=toolbar], form, section, main'],
    ['[aria-selected=true]', '[aria-selected=false]', '[role=listbox], [role=tablist]'],
    ['[role=switch][aria-checked=true]', '[role=switch][aria-checked=false]', 'main, dialog'],
    [
      'label:has(> input.sr-only:checked)',
      'label:has(> input.sr-only:not(:checked))',
      'fieldset, [role=radiogroup], form',
    ],
    [
      'input[type=radio]:not(.sr-only):checked',
      'input[type=radio]:not(.sr-only):not(:checked)',
      'fieldset, form',
    ],
    [
      'input[type=checkbox]:not(.sr-only):checked',
      'input[type=checkbox]:not(.sr-only):not(:checked)',
      'form, main',
    ],
  ]
  return kinds.flatMap(([on, off, group]) =>
    [...top.querySelectorAll<HTMLElement>(on)].filter(isThere).flatMap((chosen) => {
      const other = [...(chosen.closest(group)?.querySelectorAll(off) ?? [])].find(isThere)
      const name = `${on} ${chosen.innerText.slice(0, 30)}`
      const isDrawn = chosen.matches('input')
      return other ? [{ name, chosen: boxOf(chosen), other: boxOf(other), isDrawn }] : []
    }),
  )
}

/** Runs in the page. */
function placeOfFocus(): { look: string; name: string; box: Box; least: number } | undefined {
  const element = document.activeElement
  if (!(element instanceof HTMLElement) || element === document.body) return undefined
  element.scrollIntoView({ block: 'nearest' })
  window.lastFocus = element
  // The ring may be that of the row or the label around. A dialog may stand in the row of the button that opens it.
  const around = element.closest('li, tr, label, dialog, [popover]')
  const isRow = around !== null && !around.matches('dialog, [popover]')
  const { x, y, width, height } = (isRow ? around : element).getBoundingClientRect()
  const isIn = x >= 4 && y >= 4 && x + width <= innerWidth - 4 && y + height <= innerHeight - 4
  const look = `${element.localName} ${element.className}`
  const name = `<${element.localName}> ${(element.getAttribute('aria-label') ?? element.innerText).slice(0, 30)}`
  if (!isIn || width <= 4) return undefined
  // A ring of one pixel along half of the element's edge is the least.
  const least = Math.min(element.offsetWidth + element.offsetHeight, width + height)
  return { look, name, box: { x: x - 4, y: y - 4, width: width + 8, height: height + 8 }, least }
}

async function pictureOf(page: Page, clip: Box): Promise<Picture> {
  const png = await page.screenshot({ clip, animations: 'disabled', caret: 'hide' })
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width }
}

type Colour = readonly [number, number, number]

const colourAt = ({ data }: Picture, at: number): Colour => [
  data[at] ?? 0,
  data[at + 1] ?? 0,
  data[at + 2] ?? 0,
]

function commonest(picture: Picture): Colour {
  const counts = new Map<string, number>()
  for (let at = 0; at < picture.data.length; at += 3) {
    const key = colourAt(picture, at).join()
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const [key = '0,0,0'] = [...counts].toSorted((one, other) => other[1] - one[1])[0] ?? []
  const [red = 0, green = 0, blue = 0] = key.split(',').map(Number)
  return [red, green, blue]
}

/** Returns the number of pixels whose colours differ clearly. */
function differing(one: Picture, other: Picture): number {
  let count = 0
  const length = one.width === other.width ? Math.min(one.data.length, other.data.length) : 0
  for (let at = 0; at < length; at += 3)
    if (contrast(colourAt(one, at), colourAt(other, at)) >= CLEAR) count += 1
  return count
}

const shareThatDiffers = (one: Picture, other: Picture) => differing(one, other) / (one.data.length / 3)

/** The contrast of WCAG, 1 to 21. */
function contrast(one: Colour, other: Colour): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((value) => {
    const part = value / 255
    return part <= 0.039_28 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
