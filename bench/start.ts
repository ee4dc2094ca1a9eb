import { buildIfStale } from '#tools/build.ts'
import { makeDataDir, startProduct } from '#tests/system/product-process.ts'
import { median } from '#tools/figures/table.ts'
import type { Figure } from '#tools/figures/table.ts'

const RUNS = 3

/** Measures the time from the start of the process to the line that reports it ready. The pages are built before. */
export async function measureStart(): Promise<Figure[]> {
  await buildIfStale(process.cwd(), (line) => process.stderr.write(`${line}\n`))
  const [fresh, warm]: [number[], number[]] = [[], []]
  for (let run = 0; run < RUNS; run += 1) {
    const { dataDir, remove } = makeDataDir()
    for (const times of [fresh, warm]) {
      const product = await startProduct({ dataDir, withPages: true, settings: { DEMO: 'on' } })
      times.push(product.start_ms)
      await product.stop()
    }
    remove()
  }
  return [
    {
      name: 'start, empty data folder',
      value: median(fresh),
      unit: 'ms',
      most: 5_000,
      note: `median of ${RUNS}`,
    },
    { name: 'start, warm', value: median(warm), unit: 'ms', most: 1_000, note: `median of ${RUNS}` },
  ]
}
