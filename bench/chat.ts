import { markRead } from '#features/support/messages/contract.ts'
import { chromium, type Browser } from '@playwright/test'
import { Client as Connection } from 'pg'
import { createTicket } from '#features/support/tickets/contract.ts'
import type { Customer } from '#tests/harness/customer.ts'
import { databaseOf, makeDataDir, startProduct } from '#tests/system/product-process.ts'
import { chromiumFlags, ensureChromium } from '#tools/ensure-chromium.ts'
import { buildIfStale } from '#tools/build.ts'
import { receivedEvent, inTime, openLive, pageOf, seen } from './browser-page.ts'
import { median } from '#tools/figures/table.ts'
import type { Figure } from '#tools/figures/table.ts'
import { measureLiveness } from './liveness.ts'
import { signInMany } from './people.ts'
import { production } from './production.ts'
import { must } from '#foundation/must.ts'

const MESSAGES = 10_000
const RUNS = 5
const FRAMES = 600
const LAST = `message ${MESSAGES}`
const LOG = '[role=log]'

/** Measures in a real browser how fast a chat of 10,000 messages opens and scrolls, and how soon two people see what the other does. */
export async function measureChat(): Promise<Figure[]> {
  await buildIfStale(process.cwd(), (line) => process.stderr.write(`${line}\n`))
  const { dataDir, remove } = makeDataDir()
  const settings = { ...production, NODE_ENV: 'production', ROLE: 'web', RATE_LIMIT_SCALE: '1000000' }
  const product = await startProduct({ dataDir, settings, withPages: true })
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumFlags })
  try {
    const counts = { customers: 1, staff: 1 }
    const { customers, staff } = await signInMany({ url: product.url, dataDir, settings }, counts)
    const customer = must(customers[0])
    const chat_id = await longChat(databaseOf(dataDir), customer)
    return [
      ...(await measureOpening(browser, customer, chat_id)),
      ...(await measureScrolling(browser, customer, chat_id)),
      ...(await measureLiveness(browser, { customer, staff: must(staff[0]) })),
    ]
  } finally {
    await browser.close()
    await product.stop()
    remove()
  }
}

/** Makes a ticket with 10,000 messages by customer and staff, of which the customer has read all. Returns its public id. */
async function longChat(url: string, { api, user_id }: Customer): Promise<string> {
  const body = { subject: 'The long one', message: 'message 1', topic: 'technical' } as const
  const reply = await api.call(createTicket, { body })
  if (reply.status !== 201) throw new Error(`a ticket answers ${reply.status}`)
  const connection = new Connection({ connectionString: url })
  await connection.connect()
  try {
    await connection.query("select set_config('app.actor', 'system', false)")
    await connection.query(
      `insert into ticket_messages (ticket_id, seq, customer_seq, user_id, author_id, by_staff, kind, text, created_at)
       select t.id, n, n, t.user_id, case when n % 3 > 0 then t.user_id end, n % 3 = 0, 'comment',
         'message ' || n || case when n % 7 = 0 then E': **look** at \`this\`\\n\\n- one\\n- two\\n\\n> and that' else repeat(' and so on', n % 20) end,
         now() - (${MESSAGES} - n) * interval '7 minutes'
       from tickets t, generate_series(2, ${MESSAGES}) n where t.public_id = $1`,
      [reply.body.id],
    )
    await connection.query(
      `update tickets set staff_seq = ${MESSAGES}, customer_seq = ${MESSAGES} where user_id = $1`,
      [user_id],
    )
    await connection.query('analyze')
  } finally {
    await connection.end()
  }
  await api.call(markRead, { params: { chatId: reply.body.id }, body: { seq: MESSAGES } })
  return reply.body.id
}

async function measureOpening(browser: Browser, customer: Customer, chat_id: string): Promise<Figure[]> {
  const [cold, warm]: [number[], number[]] = [[], []]
  for (let run = 0; run < RUNS; run += 1) {
    const page = await pageOf(browser, customer)
    await page.goto(`/account/tickets/${chat_id}`, { waitUntil: 'commit' })
    const opened = await seen(page, LOG, LAST)
    cold.push(opened - (await page.evaluate(() => performance.timeOrigin)))
    await openLive(page, '/account/tickets')
    const row = page.getByRole('link', { name: 'The long one' })
    await row.hover()
    const [shown, clicked] = await Promise.all([
      seen(page, LOG, LAST),
      receivedEvent(page, 'click', () => row.click()),
    ])
    warm.push(shown - clicked)
    await page.context().close()
  }
  const note = `${MESSAGES.toLocaleString('en')} messages, median of ${RUNS}`
  return [
    { name: 'chat, opened by its address', value: median(cold), unit: 'ms', most: 1000, note },
    { name: 'chat, opened from the list', value: median(warm), unit: 'ms', most: 1000, target: 300, note },
  ]
}

/** Measures scrolling up through thousands of messages, by 120 px at each frame. */
async function measureScrolling(browser: Browser, customer: Customer, chat_id: string): Promise<Figure[]> {
  const page = await pageOf(browser, customer)
  await openLive(page, `/account/tickets/${chat_id}`)
  await seen(page, LOG, LAST)
  const scrolled = page.evaluate(scrollUp, FRAMES)
  const { frames_ms, most_rows, reached } = await inTime(scrolled, 'the end of scrolling', 120_000)
  await page.context().close()
  const long = frames_ms.filter((frame) => frame > 50).length
  const note = `${FRAMES} frames of 120 px, from message ${MESSAGES} up to ${reached}`
  return [
    {
      name: 'chat, frames over 50 ms while scrolling',
      value: (100 * long) / FRAMES,
      unit: '%',
      most: 2,
      note,
    },
    { name: 'chat, the longest frame', value: Math.max(...frames_ms), unit: 'ms' },
    { name: 'chat, messages on the page at most', value: most_rows, unit: '', most: 400 },
  ]
}

/** Scrolls up by 120 px at each frame. It runs inside the page, which has nothing of this file. */
async function scrollUp(
  frames: number,
): Promise<{ frames_ms: number[]; most_rows: number; reached: number }> {
  const box = document.querySelector<HTMLElement>('[role=log]')
  if (!box) throw new Error('the page shows no messages')
  const frames_ms: number[] = []
  let most_rows = 0
  let last = performance.now()
  for (let frame = 0; frame < frames; frame += 1) {
    await new Promise(requestAnimationFrame)
    const now = performance.now()
    frames_ms.push(now - last)
    last = now
    box.scrollTop -= 120
    if (frame % 20 === 0) most_rows = Math.max(most_rows, box.querySelectorAll('[data-seq]').length)
  }
  return { frames_ms, most_rows, reached: Number(/message (\d+)/.exec(box.innerText)?.[1] ?? 0) }
}
