const { HOSTDESK_URL, HOSTDESK_TOKEN } = process.env

async function* events(after?: string) {
  const response = await fetch(`${HOSTDESK_URL}/api/events/`, {
    headers: { authorization: `Bearer ${HOSTDESK_TOKEN}`, ...(after && { 'last-event-id': after }) },
  })
  let text = ''
  for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
    const blocks = (text + part).split('\n\n')
    text = blocks.pop()!
    for (const block of blocks) yield Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/)))
  }
}

// Keep `id`, and give it as `after` to the next stream: nothing is missed between two of them.
for await (const { id, event, data } of events()) {
  if (event === undefined) continue
  console.log(id, event, data)
  process.exit(0)
}
