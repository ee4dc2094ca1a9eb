const { HOSTDESK_URL, LICENCE_KEY } = process.env

const response = await fetch(`${HOSTDESK_URL}/api/licences/validate/`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ licence_key: LICENCE_KEY, ipv4: '203.0.113.7' }),
})
const { valid, code } = await response.json()
console.log(valid, code)
