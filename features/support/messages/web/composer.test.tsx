import { useState } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import '#app/web/styles.css'
import { storeTokens, storeUser } from '#tests/web/stored.ts'
import { setLocale } from '#foundation/web/i18n/locale.ts'
import { clearToasts, currentToasts, toastText } from '#foundation/web/toasts/toasts.ts'
import { inAct, render } from '#tests/web/render.tsx'
import { reply, requests, resetWire } from '#tests/web/wire.ts'
import { Composer, useDraft } from './composer.tsx'
import { flushOutbox } from './sender.ts'
import { outgoing } from './outbox.ts'

const chat_id = 'c'.repeat(22)
const UPLOAD = 'POST /api/attachments/'
const SEND = `POST /api/tickets/${chat_id}/messages/`
const attachment = { id: 'a'.repeat(22), name: 'log.txt', type: 'text/plain', size: 5, preview: null }

function Writing() {
  return <Composer chat_id={chat_id} kind="comment" draft={useDraft(chat_id)} />
}

/** A field beside a button that puts words in by what an early moment knew, as a model's draft does that was long on its way. */
function Drafted() {
  const draft = useDraft(chat_id)
  const [early] = useState(() => draft.insert)
  return (
    <>
      <button onClick={() => early('Hello. ')}>Draft</button>
      <Composer chat_id={chat_id} kind="comment" draft={draft} />
    </>
  )
}

function Leaving() {
  const [there, setThere] = useState(true)
  return (
    <>
      <button onClick={() => setThere(!there)}>{there ? 'Leave' : 'Return'}</button>
      {there ? <Writing /> : null}
    </>
  )
}

const message = { seq: 2, client_id: '', kind: 'comment', author: null, text: '', created_at: '' }
const delivered = { status: 201, body: { ...message, attachments: [attachment] } }
const field = () => page.getByRole('textbox', { name: 'Write a message' })
const send = () => page.getByRole('button', { name: 'Send' })
const said = async () =>
  (await requests()).flatMap(({ path, body }) =>
    path.endsWith('/messages/') ? [JSON.parse(body) as { text: string; attachment_ids: string[] }] : [],
  )

/** Returns the event of a browser for a drop or a paste of these files. */
function withFiles(kind: 'drop' | 'dragover' | 'paste', names: string[], text?: string): Event {
  const data = new DataTransfer()
  for (const name of names) data.items.add(new File(['words'], name))
  if (text) data.setData('text/plain', text)
  const options = { bubbles: true, cancelable: true }
  return kind === 'paste'
    ? new ClipboardEvent('paste', { ...options, clipboardData: data })
    : new DragEvent(kind, { ...options, dataTransfer: data })
}

beforeEach(async () => {
  localStorage.clear()
  clearToasts()
  setLocale('en')
  storeUser({ id: 'a0000000-0000-4000-8000-000000000001', display: 'Anna' })
  storeTokens({ access: `x.${btoa(JSON.stringify({ exp: 9_999_999_999 }))}.x`, refresh: 'x' })
  await resetWire()
  await reply(UPLOAD, { status: 201, body: attachment })
  await reply(SEND, delivered)
})

describe('K-02 files in the composer', () => {
  it('are dropped anywhere on the page, which is not left for them, and go with the message', async () => {
    await render(<Writing />)
    await inAct(() => document.body.dispatchEvent(withFiles('dragover', ['log.txt'])))
    await expect.element(page.getByText(/Drop files here/)).toBeVisible()
    const drop = withFiles('drop', ['log.txt'])
    await inAct(() => document.body.dispatchEvent(drop))
    expect(drop.defaultPrevented).toBe(true)
    await expect.element(page.getByText(/Drop files here/)).not.toBeInTheDocument()
    await expect.element(page.getByRole('button', { name: 'Remove log.txt' })).toBeVisible()
    await userEvent.click(send())
    await expect.poll(said).toMatchObject([{ text: '', attachment_ids: [attachment.id] }])
    await expect.element(page.getByRole('list', { name: 'Files' })).not.toBeInTheDocument()
  })

  it('are pasted; text that an office copies with a picture of it stays text', async () => {
    await render(<Writing />)
    const pasted = withFiles('paste', ['image.png'])
    await inAct(() => field().element().dispatchEvent(pasted))
    expect(pasted.defaultPrevented).toBe(true)
    await expect.element(page.getByRole('button', { name: 'Remove image.png' })).toBeVisible()
    const words = withFiles('paste', ['picture-of-text.png'], 'cells')
    await inAct(() => field().element().dispatchEvent(words))
    expect(words.defaultPrevented).toBe(false)
    await expect.element(page.getByText('picture-of-text.png')).not.toBeInTheDocument()
  })

  it('that are still on their way hold the message back, which then goes by itself', async () => {
    await reply(UPLOAD, { status: 201, body: attachment, hold_ms: 3_000 })
    await render(<Writing />)
    await inAct(() => document.body.dispatchEvent(withFiles('drop', ['log.txt'])))
    await userEvent.fill(field(), 'Here it is')
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText('Will be sent once the files are uploaded')).toBeInTheDocument()
    expect(await said()).toEqual([])
    await expect.poll(said).toMatchObject([{ text: 'Here it is', attachment_ids: [attachment.id] }])
    await expect.element(field()).toHaveValue('')
  })

  it('that failed to upload are named in a notice, offer another try, and hold the message back until they are removed', async () => {
    await reply(UPLOAD, { status: 503, body: { errors: [{ code: 'unavailable', message: '' }] } })
    await render(<Writing />)
    await userEvent.fill(field(), 'Here it is')
    await inAct(() => document.body.dispatchEvent(withFiles('drop', ['log.txt'])))
    await expect.element(page.getByRole('button', { name: 'Upload log.txt again' })).toBeVisible()
    const told = currentToasts()
    expect(told.map(({ message }) => toastText(message))).toEqual(['Failed to upload attachments'])
    expect(told[0]?.node, 'K-04: the file is named').toBeDefined()
    await userEvent.click(send(), { force: true })
    expect(await said()).toEqual([])
    await userEvent.click(page.getByRole('button', { name: 'Remove log.txt' }))
    await userEvent.click(send())
    await expect.poll(said).toMatchObject([{ text: 'Here it is', attachment_ids: [] }])
  })

  // Seen red: changing from reply to note and back aborted the uploads, without a notice.
  it('go on when their page is left, and are there on return', async () => {
    await reply(UPLOAD, { status: 201, body: attachment, hold_ms: 3_000 })
    await render(<Leaving />)
    await inAct(() => document.body.dispatchEvent(withFiles('drop', ['log.txt'])))
    await expect.element(page.getByRole('button', { name: 'Cancel upload of log.txt' })).toBeVisible()
    await userEvent.click(page.getByRole('button', { name: 'Leave' }))
    await expect.element(field()).not.toBeInTheDocument()
    await userEvent.click(page.getByRole('button', { name: 'Return' }))
    await expect.element(page.getByRole('button', { name: 'Remove log.txt' })).toBeVisible()
  })

  it('survive a message that cannot go out: they wait with it in the outbox', async () => {
    await reply(SEND, { status: 0 })
    await render(<Writing />)
    await inAct(() => document.body.dispatchEvent(withFiles('drop', ['log.txt'])))
    await expect.element(page.getByRole('button', { name: 'Remove log.txt' })).toBeVisible()
    await userEvent.click(send())
    await expect.poll(() => outgoing(chat_id)).toMatchObject([{ attachments: [attachment] }])
    await expect.element(page.getByRole('list', { name: 'Files' })).not.toBeInTheDocument()
    await reply(SEND, delivered)
    flushOutbox()
    await expect.poll(() => outgoing(chat_id)).toEqual([])
  })
})

describe('a long text', () => {
  const paste = async (text: string) => {
    const area = field().element() as HTMLTextAreaElement
    await inAct(() => {
      area.focus()
      document.execCommand('insertText', false, text)
    })
  }

  // An earlier version cut the text at 20,000 characters without a notice.
  it('is kept whole, cannot be sent, and goes as a file', async () => {
    await render(<Writing />)
    await paste('x'.repeat(30_000))
    await expect.element(page.getByText('30,000 of 20,000 characters')).toBeVisible()
    await expect.element(send()).toHaveAttribute('aria-disabled', 'true')
    await userEvent.keyboard('{Enter}')
    expect(outgoing(chat_id)).toEqual([])
    expect((field().element() as HTMLTextAreaElement).value).toHaveLength(30_000)
    await userEvent.click(page.getByRole('button', { name: 'Send as a file' }))
    await expect.element(page.getByRole('button', { name: 'Remove text.txt' })).toBeVisible()
    await expect.element(field()).toHaveValue('')
    await userEvent.click(send())
    await expect.poll(said).toMatchObject([{ text: '', attachment_ids: [attachment.id] }])
  })

  it('of more than a megabyte is refused, and the text from before stays', async () => {
    await render(<Writing />)
    await userEvent.fill(field(), 'Before')
    const area = field().element() as HTMLTextAreaElement
    const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')!.set!
    await inAct(() => {
      set.call(area, `Before${'y'.repeat(1_000_001)}`)
      area.dispatchEvent(new InputEvent('input', { bubbles: true }))
    })
    await expect.element(page.getByText('1,000,007 of 20,000 characters')).toBeVisible()
    await expect.element(field()).toHaveValue('Before')
    await userEvent.click(send())
    await expect.poll(said).toMatchObject([{ text: 'Before' }])
  })
})

it('Enter that ends a composed word sends nothing, in Safari either', async () => {
  await render(<Writing />)
  await userEvent.fill(field(), 'にほん')
  for (const how of [{ isComposing: true }, { keyCode: 229 }]) {
    const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...how })
    await inAct(() => field().element().dispatchEvent(enter))
  }
  expect(outgoing(chat_id)).toEqual([])
  await userEvent.click(send())
  await expect.poll(said).toMatchObject([{ text: 'にほん' }])
})

it('a text of invisible characters is nothing to send', async () => {
  await render(<Writing />)
  await userEvent.fill(field(), '\u200b\u2060 \u3164')
  await expect.element(send()).toHaveAttribute('aria-disabled', 'true')
})

describe('a draft in two tabs', () => {
  const elsewhere = (text: string) =>
    inAct(() => {
      const key = `draft:a0000000-0000-4000-8000-000000000001:${chat_id}`
      window.dispatchEvent(new StorageEvent('storage', { key, newValue: text }))
    })

  it('is taken over from the other tab if this tab has no text of its own, and otherwise only offered', async () => {
    await render(<Writing />)
    await elsewhere('From the other tab')
    await expect.element(field()).toHaveValue('From the other tab')
    await userEvent.fill(field(), 'Mine')
    await elsewhere('From the other tab, longer')
    await expect.element(field()).toHaveValue('Mine')
    await userEvent.click(page.getByRole('button', { name: 'Use that version' }))
    await expect.element(field()).toHaveValue('From the other tab, longer')
  })
})

// Seen red: the paragraph that was typed while a draft was made was lost.
it('keeps what was typed while words for it were on their way', async () => {
  await render(<Drafted />)
  await field().fill('Typed meanwhile.')
  await userEvent.click(page.getByRole('button', { name: 'Draft' }))
  await expect.element(field()).toHaveValue('Typed meanwhile.Hello. ')
})
