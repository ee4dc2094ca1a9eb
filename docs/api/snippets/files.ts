const { HOSTDESK_URL, HOSTDESK_TOKEN } = process.env
const authorization = `Bearer ${HOSTDESK_TOKEN}`

const form = new FormData()
form.append('file', new File(['It stops after an hour.\n'], 'report.txt'))
const uploaded = await fetch(`${HOSTDESK_URL}/api/attachments/`, {
  method: 'POST',
  headers: { authorization },
  body: form,
})
const { id } = await uploaded.json()

const opened = await fetch(`${HOSTDESK_URL}/api/tickets/`, {
  method: 'POST',
  headers: { authorization, 'content-type': 'application/json' },
  body: JSON.stringify({
    topic: 'technical',
    subject: 'A report',
    message: 'It is in the file.',
    attachment_ids: [id],
  }),
})
console.log(`#${(await opened.json()).number}`)
