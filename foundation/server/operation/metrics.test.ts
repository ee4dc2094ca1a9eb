import { expect, it } from 'vitest'
import { counter, gauge, gauges, histogram, printMetrics } from './metrics.ts'

it('prints what Prometheus reads', async () => {
  counter('test_done_total', 'Done.', ['route']).add({ route: '/a"b\\c\n' }, 3)
  gauge('test_size', 'Size.', () => 7)
  gauge('test_broken', 'Never.', () => Promise.reject(new Error('not now')))
  const rooms = [{ labels: { room: 'blue' }, value: 2 }]
  gauges('test_rooms', 'Rooms.', ['room'], async () => rooms)
  const took = histogram('test_took_seconds', 'Took.', [0.1, 1])
  took.observe({}, 0.05)
  took.observe({}, 0.5)
  took.observe({}, 5)
  const lines = (await printMetrics()).split('\n')
  expect(lines).toContain('# TYPE test_done_total counter')
  expect(lines).toContain('test_done_total{route="/a\\"b\\\\c\\n"} 3')
  expect(lines).toContain('test_size 7')
  expect(lines.filter((line) => line.startsWith('test_broken'))).toEqual([])
  expect(lines).toContain('test_rooms{room="blue"} 2')
  rooms.pop()
  expect(await printMetrics()).not.toContain('test_rooms{')
  expect(lines).toContain('test_took_seconds_bucket{le="0.1"} 1')
  expect(lines).toContain('test_took_seconds_bucket{le="1"} 2')
  expect(lines).toContain('test_took_seconds_bucket{le="+Inf"} 3')
  expect(lines).toContain('test_took_seconds_count 3')
})
