import type { APIResponse, Page } from '@playwright/test'
import { expect } from '#tests/harness/story.ts'

/**
 * Makes the history of a customer by calls of the API before a story begins; the dialogs have stories of their own. `token` is the access
 * token of the user who is signed in on the page.
 */
export class ServerCalls {
  readonly page: Page
  readonly headers: Record<string, string>

  constructor(page: Page, token: string) {
    this.page = page
    this.headers = { Authorization: `Bearer ${token}` }
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
    const path = `/dev/pay/${topUp}/${button}`
    const pressed = await this.page.request.post(path, { headers, data: '', maxRedirects: 0 })
    expect(pressed.status()).toBe(303)
  }

  async adds(name: string, ipv4?: string): Promise<string> {
    return (await this.post<{ id: string }>('/api/hosts/', { name, ...(ipv4 && { ipv4 }) })).id
  }

  async orders(name: string, plan: string, ipv4 = anyAddress()): Promise<string> {
    const order = { name, ipv4, plan, expected_total: await this.priceOf(plan) }
    return (await this.post<{ host: { id: string } }>('/api/hosts/order/', order)).host.id
  }

  private async priceOf(plan: string): Promise<unknown> {
    const reply = await this.page.request.get('/api/plans/', { headers: this.headers })
    const { items } = (await reply.json()) as { items: { slug: string; price_total: object }[] }
    return items.find(({ slug }) => slug === plan)?.price_total
  }

  /** Returns the days that are left of a server's licence. */
  async daysLeft(host: string): Promise<number> {
    const reply = await this.page.request.get(`/api/hosts/${host}/`, { headers: this.headers })
    const { licence } = (await reply.json()) as { licence: { remaining_s: number } }
    return licence.remaining_s / 86_400
  }

  /** Makes a token for the agent of a server, and returns it. */
  async connects(host: string): Promise<string> {
    return (await this.post<{ token: string }>(`/api/hosts/${host}/agent-token/`)).token
  }

  /** Sends the agent's first check-in. */
  async checksIn(agent: string): Promise<void> {
    const headers = { Authorization: `Bearer ${agent}` }
    const reply = await this.page.request.post('/api/agent/check-in/', { headers, data: figures })
    expect(reply.status()).toBe(200)
  }

  private async post<Body>(path: string, data?: object): Promise<Body> {
    const headers = { ...this.headers, 'Idempotency-Key': `story-${Math.random()}` }
    const reply: APIResponse = await this.page.request.post(path, { headers, ...(data ? { data } : {}) })
    expect(reply.status(), `${path} ${await reply.text()}`).toBe(201)
    return (await reply.json()) as Body
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
  disk_used_bytes: 20_000_000_000,
  disk_total_bytes: 80_000_000_000,
}
