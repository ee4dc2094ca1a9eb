const { HOSTDESK_URL, HOSTDESK_TOKEN } = process.env

async function* all(path: string) {
  let cursor: string | null = ''
  while (cursor !== null) {
    const query = new URLSearchParams({ limit: '2', ...(cursor && { cursor }) })
    const response = await fetch(`${HOSTDESK_URL}${path}?${query}`, {
      headers: { authorization: `Bearer ${HOSTDESK_TOKEN}` },
    })
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
    const { items, next_cursor } = await response.json()
    yield* items
    cursor = next_cursor
  }
}

for await (const host of all('/api/hosts/')) console.log(host.name)
