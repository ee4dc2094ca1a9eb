export const live = () => import('./live.ts').then((file) => file.live)
