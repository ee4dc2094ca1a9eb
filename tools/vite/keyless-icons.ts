import type { Plugin } from 'vite'

/**
 * Lucide's drawings give each shape a random key for React's lists, which hardly compress. Our component passes the shapes one
 * by one (foundation/web/ui/icon.ts), so that they need none: 0.5 kB of the first page. Nor does it read names and sizes.
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
          .replaceAll(/\b(?:name: "[\w-]+"|size: 24),\s*/gu, '')
          .replaceAll(/,\s*aliases: \[[^\]]*\]/gu, ''),
        map: null,
      }),
    },
  }
}
