import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import '#app/web/styles.css'

import { currentToasts } from '#foundation/web/toasts/toasts.ts'
import { chat_id, message, other } from '#tests/web/chat-server.ts'
import { render } from '#tests/web/render.tsx'
import { lastToast, refused, sent, startAnew } from '#tests/web/routed-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { MessageSecret } from './message-secret.tsx'
import { SecretDialog } from './secret-dialog.tsx'

const SEND = `/api/tickets/${chat_id}/secrets/`
const OPEN = `/api/tickets/${chat_id}/messages/2/secret/`
const at = '2026-03-04T05:06:00.000Z'
const button = (name: string) => page.getByRole('button', { name, exact: true })

beforeEach(startAnew)

const secretOf = (state: 'waiting' | 'opened' | 'wiped', by_staff = false) => (
  <MessageSecret
    message={{ ...message(2), author: { id: other, name: 'Olivia', is_staff: true }, secret: { state, at } }}
    chat_id={chat_id}
    by_staff={by_staff}
  />
)

it('keeps what was typed while sending fails, leaves nothing in the browser, and sends it once', async () => {
  let isSent = false
  let isOpen = true
  await reply(`POST ${SEND}`, refused(503, 'unavailable'), { status: 201, body: message(2) })
  await render(
    <SecretDialog
      open
      chat_id={chat_id}
      text="It is hunter2-Xy9 for root"
      secret="hunter2-Xy9"
      onSent={() => (isSent = true)}
      onClose={() => (isOpen = false)}
    />,
  )
  const [secret, beside] = [
    page.getByLabelText('Secret', { exact: true }),
    page.getByLabelText('Message beside it'),
  ]
  await expect.element(secret).toHaveValue('hunter2-Xy9')
  await expect.element(beside).toHaveValue('It is … for root')
  await userEvent.fill(secret, 'hunter2-Xy9-new')
  await userEvent.click(button('Send secret'))
  await expect.poll(() => sent('POST', SEND)).toHaveLength(1)
  await expect.element(page.getByRole('alert').first()).toBeVisible()
  await expect.element(secret).toHaveValue('hunter2-Xy9-new')
  await expect.element(beside).toHaveValue('It is … for root')
  expect([isSent, isOpen]).toEqual([false, true])
  expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain('hunter2')
  await userEvent.click(button('Send secret'))
  await expect.poll(() => isSent).toBe(true)
  expect(isOpen).toBe(false)
  // A second try after a lost answer is known by its id.
  const ids = (await sent('POST', SEND)).map(
    ({ body }) => (JSON.parse(body) as { client_id: string }).client_id,
  )
  expect(new Set(ids).size).toBe(1)
})

it('is opened once: the text stays on the page, and there is no second button', async () => {
  await reply(`POST ${OPEN}`, { status: 200, body: { secret: 'hunter2-Xy9' } })
  await render(secretOf('waiting'))
  await userEvent.click(button('Open once'))
  await expect.element(page.getByText('hunter2-Xy9')).toBeVisible()
  await expect.element(page.getByText(/^We have deleted our copy\./)).toBeVisible()
  await expect.element(button('Open once')).not.toBeInTheDocument()
  expect(await sent('POST', OPEN)).toHaveLength(1)
  expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain('hunter2')
})

it('says that another tab was faster, and what became of a secret', async () => {
  await reply(`POST ${OPEN}`, refused(409, 'secret_gone'))
  await render(secretOf('waiting'))
  await userEvent.click(button('Open once'))
  await expect.poll(lastToast).toBe('The secret could not be opened')
  expect(currentToasts()).toHaveLength(1)
  for (const [state, by_staff, text] of [
    ['opened', false, /^Secret opened, /],
    ['opened', true, /^The other side opened the secret, /],
    ['wiped', false, /^Secret wiped unopened, /],
    ['waiting', true, /^Secret, not opened yet\. It waits until /],
  ] as const) {
    const box = await render(secretOf(state, by_staff))
    expect(box.textContent, state).toMatch(text)
    expect(box.querySelector('button'), 'nothing is left to open').toBeNull()
  }
})
