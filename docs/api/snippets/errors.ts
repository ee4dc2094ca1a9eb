const { HOSTDESK_URL, HOSTDESK_TOKEN } = process.env

const response = await fetch(`${HOSTDESK_URL}/api/hosts/`, {
  method: 'POST',
  headers: { authorization: `Bearer ${HOSTDESK_TOKEN}`, 'content-type': 'application/json' },
  body: JSON.stringify({ name: 'web-1', ipv4: '192.0.2.300' }),
})
if (!response.ok) {
  const { errors } = await response.json()
  for (const { code, param, message } of errors) console.log(response.status, code, param ?? '', message)
}
