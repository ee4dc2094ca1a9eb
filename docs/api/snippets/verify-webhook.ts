import { createHmac, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'

type Headers = { id: string; timestamp: string; signature: string }

export function isGenuine(secret: string, { id, timestamp, signature }: Headers, body: Buffer): boolean {
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
  return signature.split(' ').some((one) => {
    const [version, given = ''] = one.split(',')
    const bytes = Buffer.from(given, 'base64')
    return version === 'v1' && bytes.length === expected.length && timingSafeEqual(bytes, expected)
  })
}

const { WEBHOOK_SECRET = '', WEBHOOK_ID = '', WEBHOOK_TIMESTAMP = '', WEBHOOK_SIGNATURE = '' } = process.env
const headers = { id: WEBHOOK_ID, timestamp: WEBHOOK_TIMESTAMP, signature: WEBHOOK_SIGNATURE }
const genuine = isGenuine(WEBHOOK_SECRET, headers, readFileSync(process.argv[2] ?? ''))
console.log(genuine ? 'genuine' : 'refused')
process.exitCode = genuine ? 0 : 1
