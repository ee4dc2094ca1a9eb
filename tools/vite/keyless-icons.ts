import type { Plugin } from 'vite'

/**
 * Lucide's drawings give each shape a random key for React's lists, which hardly compress. Our component passes the shapes one
 * by one (foundation/web/ui/icon.ts), so that they need none: 0.5 kB of the first page. Nor does it read sizes and former names.
 */
export function keylessIcons(): Plugin {
  return {
    name: 'hostdesk:keyless-icons',
    apply: 'build',
    transform: {
      filter: { id: /\/lucide-react\/dist\/esm\/icons\/[\w-]+\.mjs$/u },
      handler: (code) => ({
        code: code
          .replaceAll(/,\s*key: "\w+"/gu, '')
          .replaceAll(/,\s*(?:size: 24|aliases: \[[^\]]*\])(?=,|\s*\})/gu, ''),
        map: null,
      }),
    },
  }
}
