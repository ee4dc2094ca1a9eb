import type { Case } from './small-trees.ts'

/** Small trees with a test that waits for a moment instead of for the result (rules.test.ts). */
export const pauses: Case[] = [
  {
    rule: 'tests wait for what they want to see',
    broken: { 'features/hosts/hosts.e2e.ts': 'await page.waitForTimeout(100)' },
    says: 'features/hosts/hosts.e2e.ts: wait for what the page shows, not waitForTimeout.',
    mended: { 'features/hosts/hosts.e2e.ts': 'await expect(dialog).toBeVisible()' },
  },
  {
    rule: 'tests wait for what they want to see',
    broken: { 'features/hosts/web/hosts.test.tsx': 'await vi.waitFor(() => expect(sent).toHaveLength(1))' },
    says: 'features/hosts/web/hosts.test.tsx: vi.waitFor gives up after a second; take expect.poll, or say how long.',
    mended: { 'features/hosts/web/hosts.test.tsx': 'await expect.poll(() => sent).toHaveLength(1)' },
  },
  {
    rule: 'tests wait for what they want to see',
    broken: { 'features/hosts/server/hosts.test.ts': 'await sleep(100)' },
    says: 'features/hosts/server/hosts.test.ts lets time pass: wait for what it wants to see',
    mended: { 'features/hosts/server/hosts.test.ts': 'await expect.poll(hosts).toHaveLength(1)' },
  },
  {
    rule: 'tests wait for what they want to see',
    broken: { 'features/hosts/web/hosts.test.tsx': 'expect(rows.elements()).toHaveLength(1)' },
    says: 'features/hosts/web/hosts.test.tsx counts at one moment; take await expect.element(…).toHaveLength(…)',
    mended: { 'features/hosts/web/hosts.test.tsx': 'await expect.element(rows).toHaveLength(1)' },
  },
  {
    rule: 'tests wait for what they want to see',
    broken: { 'features/hosts/hosts.e2e.ts': "await page.request.post('/api/hosts/', { data })" },
    says: 'features/hosts/hosts.e2e.ts calls by itself; take callApi, which comes again and looks at the answer.',
    mended: { 'features/hosts/hosts.e2e.ts': "await callApi(page, 'POST', '/api/hosts/', { data })" },
  },
]
