import { rmSync } from 'node:fs'

// Runs after the last story, when the server has stopped.
// oxlint-disable-next-line import/no-default-export -- Playwright calls the default export
export default function removeStoryData(): void {
  const folder = process.env['STORY_DATA_DIR']
  if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
}
