const { HOSTDESK_URL, HOSTDESK_TOKEN } = process.env

// Keep the key with the order in your own database, before the first try.
const key = crypto.randomUUID()
const make = () =>
  fetch(`${HOSTDESK_URL}/api/hosts/`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${HOSTDESK_TOKEN}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({ name: 'made-once', ipv4: '203.0.113.7' }),
  })

const [first, second] = [await make(), await make()]
console.log((await first.json()).id === (await second.json()).id)
