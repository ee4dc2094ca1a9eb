import type { Page } from '@playwright/test'
import type { Ticket } from '#features/support/tickets/contract.ts'
import { callApi } from './call-api.ts'

/**
 * Makes the history of a customer by calls of the API before a story begins; the dialogs have stories of their own. `token` is the access
 * token of the user who is signed in on the page.
 */
export class ServerCalls {
  readonly page: Page
  readonly token: string

  constructor(page: Page, token: string) {
    this.page = page
    this.token = token
  }

  /** Pays in an amount (minor units) by the test provider. Returns the id of the top-up. */
  async paysIn(amount: string): Promise<string> {
    const topUp = await this.post<{ id: string }>('/api/finances/top-ups/', { amount, provider: 'test' })
    await this.onTestPage(topUp.id, 'pay')
    return topUp.id
  }

  /** Charges a top-up back, as the bank does. */
  async pullsBack(topUp: string): Promise<void> {
    await this.onTestPage(topUp, 'charge-back')
  }

  private async onTestPage(topUp: string, button: 'pay' | 'charge-back'): Promise<void> {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const sent = { headers, data: '', maxRedirects: 0 }
    await callApi(this.page, 'POST', `/dev/pay/${topUp}/${button}`, { ...sent, status: 303 })
  }

  /** Announces a bank transfer of an amount (minor units). Returns its reference. */
  async announces(amount: string): Promise<string> {
    type Announced = { bank: { reference: string } }
    return (await this.post<Announced>('/api/finances/top-ups/', { amount, provider: 'bank' })).bank.reference
  }

  /** Opens a ticket with one message. */
  asks(subject: string, message = 'Since this morning.'): Promise<Ticket> {
    return this.post<Ticket>('/api/tickets/', { subject, message, topic: 'technical' })
  }

  async adds(name: string, ipv4?: string): Promise<string> {
    return (await this.post<{ id: string }>('/api/hosts/', { name, ...(ipv4 && { ipv4 }) })).id
  }

  async orders(name: string, plan: string, ipv4 = anyAddress()): Promise<string> {
    const order = { name, ipv4, plan, expected_total: await this.priceOf(plan) }
    return (await this.post<{ host: { id: string } }>('/api/hosts/order/', order)).host.id
  }

  private async priceOf(plan: string): Promise<unknown> {
    type Plans = { items: { slug: string; price_total: object }[] }
    const { items } = await callApi<Plans>(this.page, 'GET', '/api/plans/', { token: this.token })
    return items.find(({ slug }) => slug === plan)?.price_total
  }

  /** Returns the days that are left of a server's licence. */
  async daysLeft(host: string): Promise<number> {
    type Host = { licence: { remaining_s: number } }
    const { licence } = await callApi<Host>(this.page, 'GET', `/api/hosts/${host}/`, { token: this.token })
    return licence.remaining_s / 86_400
  }

  /** Makes a token for the agent of a server, and returns it. */
  async connects(host: string): Promise<string> {
    return (await this.post<{ token: string }>(`/api/hosts/${host}/agent-token/`)).token
  }

  /** Sends a check-in of an agent, with a disk that is full to some percent. */
  async checksIn(agent: string, disk_percent = 25): Promise<void> {
    const disk_used_bytes = (figures.disk_total_bytes * disk_percent) / 100
    const data = { ...figures, disk_used_bytes }
    await callApi(this.page, 'POST', '/api/agent/check-in/', { token: agent, data })
  }

  private post<Body>(path: string, data?: object): Promise<Body> {
    const headers = { 'Idempotency-Key': `story-${Math.random()}` }
    const sent = { token: this.token, headers, ...(data ? { data } : {}) }
    return callApi<Body>(this.page, 'POST', path, { ...sent, status: 201 })
  }
}

/** Returns a random address: all stories share one installation, in which an address can have one paid licence. */
export const anyAddress = (): string => `10.${anyByte()}.${anyByte()}.${anyByte()}`
const anyByte = (): number => Math.floor(Math.random() * 256)

const figures = {
  version: '1.0.0',
  hostname: 'web-1.example.com',
  uptime_s: 3600,
  load_1m: 0.5,
  memory_used_bytes: 2_000_000_000,
  memory_total_bytes: 8_000_000_000,
  disk_total_bytes: 80_000_000_000,
}
