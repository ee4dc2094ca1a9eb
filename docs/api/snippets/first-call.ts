const { HOSTDESK_URL, HOSTDESK_TOKEN } = process.env

const response = await fetch(`${HOSTDESK_URL}/api/hosts/?limit=5`, {
  headers: { authorization: `Bearer ${HOSTDESK_TOKEN}` },
})
const body = await response.json()
if (!response.ok) throw new Error(body.errors[0].message)
for (const host of body.items) console.log(host.name, host.ipv4)
