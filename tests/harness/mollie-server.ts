import { randomBytes, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as z from 'zod/mini'
import { answerAboutCustomers, isFirst, type MollieCustomers } from './mollie-customers.ts'

/**
 * A server that stands in for api.mollie.com. It judges each request by what Mollie's own description of its API says of the calls that the
 * product makes, as of June 2026: what is not there, or has another form, is refused, and `wrong` holds why. It answers in Mollie's shapes.
 */
export type MollieServer = {
  origin: string
  payments: Map<string, Payment>
  customers: MollieCustomers
  /** The requests that came, and those that were none of Mollie's. */
  asked: Asked[]
  wrong: string[]
  /** The fate of the next requests: Mollie is away, the answer is lost on its way, or Mollie refuses it with this status. */
  fate: 'none' | 'away' | 'answer lost' | number
  /** The ways to pay that are on in the account, and the state in which refunds begin. */
  methods: string[]
  refundStatus: string
  /** The state in which charges of a mandate begin. */
  chargeStatus: string
  /** Forgets the keys of requests, as Mollie does after an hour. */
  forgetKeys(): void
  close(): void
}

type Asked = { method: string; path: string; key: string | undefined; body: unknown }
type Money = { currency: string; value: string }
type Refund = { id: string; amount: Money; status: string; metadata: unknown }
type Chargeback = {
  id: string
  amount: Money
  reason: { description: string } | null
  reversedAt: string | null
}
export type Payment = {
  id: string
  status: string
  amount: Money
  metadata: unknown
  webhookUrl: string
  paidAt?: string
  details?: Record<string, string>
  sequenceType?: string
  customerId?: string
  mandateId?: string
  refunds: Refund[]
  chargebacks: Chargeback[]
}

const money = z.strictObject({
  currency: z.string().check(z.regex(/^[A-Z]{3}$/)),
  value: z.string().check(z.regex(/^\d+(\.\d{2})?$/)),
})
const url = z.string().check(z.regex(/^https?:\/\/\S+$/))
// About 1 kB by Mollie's words.
const metadata = z
  .record(z.string(), z.string())
  .check(z.refine((given) => JSON.stringify(given).length <= 1000))
const words = z.string().check(z.minLength(1), z.maxLength(255))
const customerId = z.string().check(z.regex(/^cst_\w+$/))
const inPage = {
  amount: money,
  description: words,
  redirectUrl: url,
  cancelUrl: z.optional(url),
  webhookUrl: url,
  metadata,
}
const method = z.union([z.string(), z.array(z.string()).check(z.minLength(1))])
const bodies = {
  payment: z.union([
    z.strictObject(inPage),
    z
      .strictObject({ ...inPage, sequenceType: z.literal('first'), customerId, method })
      .check(z.refine(isFirst)),
    z.strictObject({
      amount: money,
      description: words,
      webhookUrl: url,
      metadata,
      sequenceType: z.literal('recurring'),
      customerId,
      mandateId: z.string(),
    }),
  ]),
  refund: z.strictObject({ amount: money, description: words, metadata }),
}

const nameOf = (prefix: string) => `${prefix}_${randomBytes(8).toString('hex')}`

export async function startMollieServer(): Promise<MollieServer> {
  const known = new Map<string, [number, object]>()
  const server = createServer((request, response) => void serve(mollie, known, request, response))
  const mollie: MollieServer = {
    origin: '',
    payments: new Map(),
    customers: new Map(),
    asked: [],
    wrong: [],
    fate: 'none',
    methods: ['ideal', 'creditcard', 'paypal'],
    refundStatus: 'refunded',
    chargeStatus: 'paid',
    forgetKeys: () => known.clear(),
    close: () => void server.close(),
  }
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  mollie.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return mollie
}

async function serve(
  mollie: MollieServer,
  known: Map<string, [number, object]>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  const { method = '', headers } = request
  const path = decodeURI(request.url ?? '')
  const key = headers['idempotency-key']?.toString()
  const body: unknown = text === '' ? null : JSON.parse(text)
  mollie.asked.push({ method, path, key, body })
  const send = (status: number, answer: object) => {
    response.writeHead(status, { 'content-type': 'application/hal+json' })
    response.end(status === 204 ? undefined : JSON.stringify(answer))
  }
  if (mollie.fate === 'away') return send(503, { status: 503, title: 'Service Unavailable' })
  if (typeof mollie.fate === 'number') return send(mollie.fate, { status: mollie.fate, title: 'No' })
  const [status, answer] =
    (key !== undefined && known.get(`${path} ${key}`)) || answerTo(mollie, method, path, body, headers)
  if (status >= 400 && ![404, 410].includes(status) && !isMandate(answer))
    mollie.wrong.push(`${method} ${path}: ${JSON.stringify(answer)}`)
  if (key !== undefined) known.set(`${path} ${key}`, [status, answer])
  if (mollie.fate === 'answer lost') return void request.socket.destroy()
  send(status, answer)
}

/** A mandate that is not valid any more is no fault of the request. */
const isMandate = (answer: object): boolean => 'field' in answer && answer.field === 'mandateId'

function answerTo(
  mollie: MollieServer,
  method: string,
  path: string,
  body: unknown,
  headers: IncomingMessage['headers'],
): [number, object] {
  if (!/^Bearer (?:live|test)_\w{30,}$/.test(headers.authorization ?? ''))
    return [401, { title: 'Unauthorized' }]
  if (method === 'POST' && !headers['content-type']?.startsWith('application/json')) return [415, {}]
  const key = headers['idempotency-key']?.toString()
  if (key !== undefined && !z.uuidv4().safeParse(key).success) return [400, { title: 'The key is no UUID' }]
  if (method === 'GET' && path.startsWith('/v2/methods?')) return methodsFor(mollie, path)
  if (method === 'POST' && path === '/v2/payments') return makePayment(mollie, body)
  const paymentsOf = (customer: string) =>
    [...mollie.payments.values()].filter((one) => one.customerId === customer).map(shownPayment)
  const aboutCustomers = answerAboutCustomers(mollie.customers, { method, path, given: body }, paymentsOf)
  if (aboutCustomers) return aboutCustomers
  const [, id = '', rest = ''] = /^\/v2\/payments\/(tr_\w+)(.*)$/.exec(path) ?? []
  const payment = mollie.payments.get(id)
  if (!payment) return [404, { status: 404, title: 'Not Found', detail: 'No payment exists with token.' }]
  if (method === 'GET' && rest === '?embed=refunds,chargebacks') return [200, shownPayment(payment)]
  if (method === 'GET' && rest === '/refunds?limit=250')
    return [200, { count: payment.refunds.length, _embedded: { refunds: payment.refunds } }]
  if (method === 'POST' && rest === '/refunds') return makeRefund(mollie, payment, body)
  return [405, { title: 'Method Not Allowed' }]
}

function methodsFor({ methods }: MollieServer, path: string): [number, object] {
  const query = new URLSearchParams(path.split('?')[1])
  const amount = { currency: query.get('amount[currency]'), value: query.get('amount[value]') }
  if (!money.safeParse(amount).success) return [422, { field: 'amount' }]
  return [
    200,
    { count: methods.length, _embedded: { methods: methods.map((id) => ({ resource: 'method', id })) } },
  ]
}

function makePayment({ payments, customers, chargeStatus }: MollieServer, body: unknown): [number, object] {
  const { data, error } = bodies.payment.safeParse(body)
  if (!data) return [422, { status: 422, detail: z.prettifyError(error) }]
  const { amount, webhookUrl } = data
  if ('customerId' in data) {
    const customer = customers.get(data.customerId)
    if (!customer) return [410, { status: 410, field: 'customerId' }]
    const isValid = ({ id, status }: { id: string; status: string }) =>
      'mandateId' in data && id === data.mandateId && status === 'valid'
    if ('mandateId' in data && !customer.mandates.some(isValid))
      return [422, { status: 422, field: 'mandateId' }]
  }
  const made: Payment = {
    id: nameOf('tr'),
    status: 'mandateId' in data ? chargeStatus : 'open',
    amount,
    metadata: data.metadata,
    webhookUrl,
    ...('customerId' in data && { customerId: data.customerId, sequenceType: data.sequenceType }),
    refunds: [],
    chargebacks: [],
  }
  payments.set(made.id, made)
  return [201, shownPayment(made)]
}

function makeRefund(mollie: MollieServer, payment: Payment, body: unknown): [number, object] {
  const { data, error } = bodies.refund.safeParse(body)
  if (!data) return [422, { status: 422, detail: z.prettifyError(error) }]
  if (payment.status !== 'paid' || data.amount.currency !== payment.amount.currency)
    return [422, { field: 'amount' }]
  if (cents(data.amount) + gone(payment) > cents(payment.amount)) return [422, { field: 'amount' }]
  const made = { id: nameOf('re'), status: mollie.refundStatus, amount: data.amount, metadata: data.metadata }
  payment.refunds.push(made)
  return [201, { resource: 'refund', paymentId: payment.id, ...made }]
}

const cents = ({ value }: Money): bigint => BigInt(value.replace('.', ''))
const gone = ({ refunds }: Payment): bigint =>
  refunds
    .filter(({ status }) => status !== 'failed' && status !== 'canceled')
    .reduce((sum, { amount }) => sum + cents(amount), 0n)

/** The payment in Mollie's shape; its refunds and chargebacks are embedded. */
function shownPayment({ refunds, chargebacks, ...payment }: Payment): object {
  return {
    resource: 'payment',
    mode: 'test',
    createdAt: '2026-11-20T10:00:00+00:00',
    sequenceType: 'oneoff',
    ...payment,
    _embedded: { refunds, chargebacks },
    _links: { checkout: { href: `https://www.mollie.com/checkout/select/${payment.id}`, type: 'text/html' } },
  }
}

/** Calls as Mollie does: a form that says the payment's id and nothing else. Returns the status of the answer. */
export async function callAsMollie(
  origin: string,
  { id, webhookUrl }: Pick<Payment, 'id' | 'webhookUrl'>,
): Promise<number> {
  const { pathname, search } = new URL(webhookUrl)
  const reply = await fetch(`${origin}${pathname}${search}`, {
    method: 'POST',
    body: new URLSearchParams({ id }),
  })
  await reply.text()
  return reply.status
}

export const refundOf = (value: string, status: string, more: Partial<Refund> = {}): Refund => ({
  id: nameOf('re'),
  amount: { currency: 'EUR', value },
  status,
  metadata: null,
  ...more,
})

export const chargebackOf = (value: string, more: Partial<Chargeback> = {}): Chargeback => ({
  id: nameOf('chb'),
  amount: { currency: 'EUR', value },
  reason: { description: 'Insufficient funds' },
  reversedAt: null,
  ...more,
})

export const MOLLIE_KEY = `test_${randomUUID().replaceAll('-', '')}`
