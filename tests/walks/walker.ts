import type { Page } from '@playwright/test'
import { judge, judgeKeys } from './judge.ts'
import type { Report } from './report.ts'
import { elementOf, openersOf, whatIsOpen, type Opener } from './openers.ts'

const OPENS_WITHIN_ms = 1_500
const DEEPEST = 3
/** Openers of one name on one page that are tried: rows of a list differ, but not for ever. */
const OF_ONE_NAME = 3

/**
 * Opens everything on a page that a button opens, and what buttons open there, and judges each thing that it has not seen. No call that
 * changes something leaves the browser.
 */
export class Walker {
  readonly page: Page
  readonly report: Report = { faults: [], titles: [], judged: 0, opened: 0 }
  readonly #wholly: boolean
  readonly #withFrame: boolean
  readonly #seen = new Set<string>()
  readonly #tried = new Map<string, number>()
  #address = ''

  /** `wholly` also by axe and by key; `withFrame` also what the frame around each page opens. */
  constructor(page: Page, { wholly, withFrame }: { wholly: boolean; withFrame: boolean }) {
    this.page = page
    this.#wholly = wholly
    this.#withFrame = withFrame
  }

  async walks(address: string): Promise<void> {
    this.#address = address
    await this.#starts()
    await this.#judges([])
    await this.#opensAll([])
  }

  /** Returns the tabs of the page: links to it with another query. */
  tabs(): Promise<string[]> {
    return this.page
      .locator('main nav a[href*="?"]')
      .evaluateAll((links) =>
        links.flatMap((link) =>
          link instanceof HTMLAnchorElement && link.pathname === location.pathname
            ? [link.pathname + link.search]
            : [],
        ),
      )
  }

  async #starts(): Promise<void> {
    await this.page.goto(this.#address)
    await this.page.locator('h1').first().waitFor()
    await this.#rests()
  }

  async #rests(): Promise<void> {
    await this.page
      .waitForFunction(() => document.querySelector('[aria-busy=true], main [data-coming]') === null, null, {
        timeout: 10_000,
      })
      .catch(() => this.#says([], 'stays busy'))
  }

  /** `known` are the openers that stood there before something opened, which are tried elsewhere. */
  async #opensAll(way: readonly Opener[], known: readonly Opener[] = []): Promise<void> {
    const all = await openersOf(this.page)
    const isKnown = (opener: Opener) =>
      known.some(({ name, number }) => name === opener.name && number === opener.number)
    const openers = all.filter((opener) => !isKnown(opener) && this.#isNew(opener, way))
    let before = await whatIsOpen(this.page)
    for (const opener of openers) {
      const next = [...way, opener]
      if (!(await this.#opens(opener))) {
        if ((await whatIsOpen(this.page)) === before) continue
      } else {
        this.report.opened += 1
        await this.#judges(next)
        if (next.length < DEEPEST) await this.#opensAll(next, all)
      }
      await this.#comesBack(way, opener, before)
      before = await whatIsOpen(this.page)
    }
  }

  #isNew({ name, ofFrame }: Opener, way: readonly Opener[]): boolean {
    if (name === '' || LEAVES.test(name) || (ofFrame && !this.#withFrame)) return false
    const general = name.replaceAll(/“.*?”|„.*?“|«.*?»|\S*[\d@]\S*/gu, '#')
    const key = `${way.map((step) => step.name).join(' > ')} > ${general}`
    const tried = this.#tried.get(key) ?? 0
    this.#tried.set(key, tried + 1)
    return tried < OF_ONE_NAME
  }

  /** Presses an opener. Returns true if something is open then. */
  async #opens(opener: Opener): Promise<boolean> {
    const before = await whatIsOpen(this.page)
    const element = await elementOf(this.page, opener)
    if (!element) return false
    try {
      await element.focus()
      await element.click({ timeout: 2_000 })
      await this.page.waitForFunction((was) => window.walk.open() !== was, before, {
        timeout: OPENS_WITHIN_ms,
      })
    } catch {
      return false
    }
    await this.#rests()
    const [path] = before.split(' ')
    return (await whatIsOpen(this.page)).startsWith(`${path} `)
  }

  async #judges(way: readonly Opener[]): Promise<void> {
    const title = await this.page.evaluate(() => window.walk.title())
    this.report.titles.push(title)
    const shape = await this.page.evaluate(() =>
      window.walk
        .top()
        .outerHTML.replaceAll(
          /(?:id|for|style|aria-\w+by|name|value|href|src|d|class)="[^"]*"|>[^<]*</gu,
          '',
        ),
    )
    if (this.#seen.has(shape)) return
    this.#seen.add(shape)
    this.report.judged += 1
    for (const fault of await judge(this.page, this.#wholly)) this.#says(way, fault)
    const isMenu = await this.page.evaluate(() => window.walk.top().matches('[popover]'))
    if (this.#wholly && !isMenu) for (const fault of await judgeKeys(this.page)) this.#says(way, fault)
  }

  /** Closes what an opener opened, and expects the focus there again. Begins anew where that fails. */
  async #comesBack(way: readonly Opener[], opener: Opener, before: string): Promise<void> {
    // An element that a window of another size hides loses the focus, whatever is closed.
    const hadFocus = await this.page.evaluate(() => document.activeElement !== document.body)
    await this.page.keyboard.press('Escape')
    const closed = this.page.waitForFunction((was) => window.walk.open() === was, before, {
      timeout: OPENS_WITHIN_ms,
    })
    const isBack = await closed.then(() => true).catch(() => false)
    if (isBack) {
      const isLost = await this.page.evaluate(() => document.activeElement === document.body)
      if (hadFocus && isLost) this.#says([...way, opener], 'the focus is on nothing afterwards')
      return
    }
    await this.#starts()
    for (const step of way) if (!(await this.#opens(step))) return
  }

  #says(way: readonly Opener[], fault: string): void {
    const where = [this.#address, ...way.map(({ name }) => name)].join(' > ')
    this.report.faults.push(`${where}: ${fault}`)
  }
}

/** The names of buttons that end the session or close something. */
const LEAVES =
  /^(Sign out|Log out|Cancel|Abmelden|Abbrechen|Выйти|Отмена|Back to|Zurück|Назад|End view)|(Close|Schließen|Закрыть)$/u
