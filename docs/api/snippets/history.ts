const { HOSTDESK_URL, HOSTDESK_TOKEN } = process.env

// Keep this number in your own database.
let after = 0
let more = true
while (more) {
  const response = await fetch(`${HOSTDESK_URL}/api/events/history/?after=${after}&limit=100`, {
    headers: { authorization: `Bearer ${HOSTDESK_TOKEN}` },
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  const { items, next_after, has_more } = await response.json()
  for (const { seq, type, data } of items) console.log(seq, type, data.id)
  after = next_after
  more = has_more
}
